/** Details of API v2 that its documents leave open, or that differ between its servers; for `dialect: 'v2'` only. */
export interface V2Switches {
  /** Whether the routes and the socket of the older interface are served as well. */
  readonly v1Routes: boolean;
  /** Path below which the API is mounted, such as `/deployment/x`; empty for none. */
  readonly basePath: string;
  /** Whether requests need no key; a key that comes is ignored. */
  readonly anonymous: boolean;
  /** Whether `X-API-Key` is accepted beside `Authorization: Bearer`. */
  readonly apiKeyHeader: boolean;
  /** Whether `GET /jobs` lists jobs; otherwise it answers 501 `not_implemented`. */
  readonly jobList: boolean;
  /** Whether a submission may have `metadata`; otherwise it is refused with 422 `metadata_not_supported`. */
  readonly metadata: boolean;
  /** Whether jobs have `urls.logs` and a log; otherwise `GET /jobs/{id}/logs` answers 204. */
  readonly logs: boolean;
  /** `redirect`: content is 302 to a signed address; `inline`: 200 or 206 with the bytes. */
  readonly content: 'redirect' | 'inline';
  /** Where `Output.url` and `Asset.url` lead: to the content route, or straight to a signed address. */
  readonly assetLinks: 'content' | 'signed';
  /** Whether `Job.urls` are paths or whole addresses. */
  readonly jobLinks: 'relative' | 'absolute';
  /** `unknown`: outputs have `size_bytes` 0 and no hash, as a self-hosted proxy reports them. */
  readonly outputDetails: 'known' | 'unknown';
  /** Whether temporary files, such as those of PreviewImage, are outputs. */
  readonly tempOutputs: boolean;
  /** Whether `output` events follow the terminal `status` instead of preceding it. */
  readonly outputEvents: 'before the end' | 'after the end';
  /** `fields`: `[{ field, reason }]` by node; `engine`: the engine's own entries. */
  readonly nodeErrors: 'fields' | 'engine';
  /** Whether a 404 names what is missing (`job_not_found`) or is plain `not_found`. */
  readonly notFoundCode: 'specific' | 'general';
  /** The first `queue_position`; `null` has none at all. */
  readonly queuePositionFrom: 0 | 1 | null;
  /** Whether a polled job shows its progress. */
  readonly polledProgress: boolean;
  /** How a job ends whose worker is lost. */
  readonly lostJob: 'expired' | 'expired with error' | 'failed';
  /** Requests per minute and account before the answer is 429 `rate_limited`. */
  readonly requestsPerMinute: number;
  /** Event streams of one account that are open at once before the answer is 429 `too_many_streams`; 0 is 501. */
  readonly streamLimit: number;
  /** Milliseconds between the comments that keep an event stream alive; 0 or `Infinity` for none. */
  readonly keepAliveMs: number;
  /** The least milliseconds between two `progress` events, and between two `preview` events, at speed 1. */
  readonly progressIntervalMs: number;
  /** Milliseconds from a job's submission to its 404. */
  readonly retentionMs: number;
  /** Milliseconds for which an idempotency key is remembered. */
  readonly keyRetentionMs: number;
  /** Seconds in `Retry-After` of every 429. */
  readonly retryAfter: number;
  /** Milliseconds from the start in which submissions are refused with 429 `deployment_not_ready`; `Infinity` is 422 `deployment_stopped`. */
  readonly notReadyMs: number;
}

const HOUR = 3_600_000;

/** The defaults: the hosted service as far as it is documented, and a self-hosted server where it is not. */
export const v2Defaults: V2Switches = {
  v1Routes: false,
  basePath: '',
  anonymous: false,
  apiKeyHeader: false,
  jobList: false,
  metadata: false,
  logs: false,
  content: 'redirect',
  assetLinks: 'content',
  jobLinks: 'relative',
  outputDetails: 'known',
  tempOutputs: true,
  outputEvents: 'before the end',
  nodeErrors: 'fields',
  notFoundCode: 'specific',
  queuePositionFrom: 1,
  polledProgress: true,
  lostJob: 'expired',
  requestsPerMinute: Infinity,
  streamLimit: 8,
  keepAliveMs: 15_000,
  progressIntervalMs: 500,
  retentionMs: 24 * HOUR,
  keyRetentionMs: 24 * HOUR,
  retryAfter: 1,
  notReadyMs: 0,
};
