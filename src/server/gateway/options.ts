import type { Logger } from '../../core/log/logger.js';
import type { AssetIndex } from './ports/asset-index.js';
import type { Client } from '../../client/client-types.js';
import type { Clock } from '../../core/platform/platform.js';
import type { EventLog } from '../joblog/event-log.js';
import type { GatewayPool } from './services/gateway-pool.js';
import type { GatewayQueue } from './services/gateway-queue.js';
import type { GatewayTemplates } from './templates.js';
import type { InputOptions } from './calls/input-options.js';
import type { JobIndex } from '../joblog/job-index.js';
import type { LookRules } from '../../core/lost/decide-match.js';
import type { TemplateStore } from '../joblog/template-store.js';
import type { WebhookOptions } from './webhooks/webhook-options.js';
import type { WebhookStore } from './ports/webhook-store.js';

/** The user of a gateway, as `authorize` names it. Jobs, files and streams belong to it. */
export interface Caller {
  /** The same for every request of this user, and no other's. It stands in logs, so it must not be a secret. */
  readonly name: string;
  /**
   * Whether it may see the servers of a pool or of a queue over servers (`GET /servers`), or pause, resume and drain them as well (`change`);
   * default neither.
   */
  readonly servers?: 'see' | 'change';
  /** Limits of this caller in place of the gateway's. */
  readonly limits?: Partial<CallerLimits>;
}

/**
 * Names the caller of a request: undefined answers 401, and a `Response` is the answer itself.
 *
 * It must not read the request's body. A rejection answers 500.
 */
export type Authorize = (
  request: Request,
) => Caller | Response | undefined | Promise<Caller | Response | undefined>;

/** What one caller may use at once. What exceeds it gets 429 with `Retry-After`, a body that exceeds it 413. */
export interface CallerLimits {
  /** Jobs that have not ended; default 100. */
  readonly jobs: number;
  /**
   * Bytes of the records that are kept of its jobs, which are mostly workflows; default 64 MiB. Its own jobs that have ended make room, and
   * no other caller's. The bounds of all are those of the index, `maxJobs` and `maxSize`.
   */
  readonly keptBytes: number;
  /** Open streams of events; default 32; with 0 the answer is 501. */
  readonly streams: number;
  /** Uploads under way; default 4. */
  readonly uploads: number;
  /** Requests in a second, on average over two; `GET` of a job does not count. Default 100. */
  readonly requestsPerSecond: number;
  /** Bytes of a body other than an upload, such as a workflow with pictures in it; default 16 MiB. */
  readonly bodyBytes: number;
  /** Bytes of an upload; default 256 MiB. */
  readonly uploadBytes: number;
  /** Values in a body of JSON, members and elements counted alike; default 100 000. Its levels are 64 at most. */
  readonly bodyValues: number;
  /** Templates that it saves; default 100. One more gets 409. */
  readonly templates: number;
  /** Characters of these templates, as JSON; default 16 Mi. */
  readonly templateBytes: number;
  /**
   * Bytes of all bodies of requests under way, and of large answers that are not read yet; default 272 MiB, an upload and a workflow at their
   * largest.
   */
  readonly heldBytes: number;
}

/** What all callers together may use at once. What exceeds it gets 503 with `Retry-After`. */
export interface GatewayTotals {
  /** Open streams of events; default 10 000. */
  readonly streams: number;
  /** Uploads under way; default 64. */
  readonly uploads: number;
  /**
   * Bytes of the bodies of requests under way, and of large answers that are not read yet; default 512 MiB. A body of JSON takes up to five
   * times its bytes of memory.
   */
  readonly heldBytes: number;
}

/** One request in the access log. It holds no query, no header and no body. */
export interface AccessEntry {
  /** As the request has it. */
  readonly method: string;
  /** The whole path, still encoded. */
  readonly path: string;
  /** Of the answer. */
  readonly status: number;
  /** Milliseconds until the answer's head. */
  readonly ms: number;
  /** The name of the caller, where there is one. */
  readonly caller?: string;
  /** The `X-Request-Id` that a proxy in front gave the request. */
  readonly requestId?: string;
}

/** What `createGateway` takes. */
export interface GatewayOptions {
  /** The client of the service, or a pool of servers (`createPool` of `promptwire/pool`). */
  readonly client?: Client | GatewayPool;
  /** Several of them by name, in place of `client`; a submission goes to the first unless it names another. */
  readonly clients?: Readonly<Record<string, Client | GatewayPool>>;
  /**
   * A queue, whose workers run the jobs: `createJobQueue` of `promptwire/queue`. A `client` beside it, or over servers a pool,
   * reads outputs and takes uploads; without one, both are refused.
   */
  readonly queue?: GatewayQueue;
  /** Names the caller of a request. There is no default: a gateway spends its owner's money. `bearerTokens` makes one. */
  readonly authorize: Authorize;
  /**
   * How often `authorize` is asked again about an open stream, with the same request, in milliseconds; default 30 000. A stream whose
   * caller it does not name any more ends; one that a ticket opened is not asked about.
   */
  readonly reauthorizeMs?: number;
  /** Limits of each caller. */
  readonly limits?: Partial<CallerLimits>;
  /** Limits of all callers together. */
  readonly totals?: Partial<GatewayTotals>;
  /** Which jobs there are; default in memory, so that a restart forgets them and the idempotency keys. */
  readonly index?: JobIndex;
  /**
   * What happened to them; default in memory. A gateway over a queue reads the queue's log instead, and reads this one before it: what it kept until
   * the change to the queue.
   */
  readonly log?: EventLog;
  /** Which files callers uploaded; default in memory, so that a restart makes them upload again. */
  readonly assets?: AssetIndex;
  /** Workflows that callers run by name and inputs; `template` of `promptwire/workflow` makes them. Default none. */
  readonly templates?: GatewayTemplates;
  /** Keeps the templates that callers save; default in memory, so that a restart forgets them. */
  readonly templateStore?: TemplateStore;
  /** Sends what happens to the webhooks that callers put; default none, and `/webhooks` answers 501. */
  readonly webhooks?: WebhookOptions;
  /** Which webhooks there are and what they have been sent; default in memory, so that a restart forgets them. */
  readonly webhookStore?: WebhookStore;
  /**
   * How a job is looked for at the service whose submission got no answer, where the service gives jobs their ids: by a marker in its
   * `extra_data`, and by its workflow. What is not found by then is `unknown`.
   */
  readonly lostAnswers?: Partial<LookRules>;
  /** Lets submissions name inputs by addresses of these origins; default none. */
  readonly inputs?: InputOptions;
  /**
   * How long a submission with `Prefer: wait` may wait for the end of its job, in milliseconds; default 50 000, which is less than the minute
   * of most proxies.
   */
  readonly maxWaitMs?: number;
  /** How long a job is kept after its end, in milliseconds; default 24 hours. */
  readonly keepMs?: number;
  /** When a reader that takes nothing is cut, in milliseconds; default 30 000. */
  readonly stallMs?: number;
  /** The path below which the gateway is mounted, such as `/comfy`; links carry it. Default the root. */
  readonly mount?: string;
  /** The origin that callers use, such as `https://example.com`; default that of the request, which a proxy may have changed. */
  readonly origin?: string;
  /** Origins of pages that may call (CORS), such as `https://app.example`; default none. */
  readonly allowOrigins?: readonly string[];
  /**
   * Lets browsers send the cookies of pages of `allowOrigins`, for an `authorize` that looks at a session; default false. Give such a cookie
   * `SameSite=Lax` or `Strict`: a form of any other page sends a cookie without it as well.
   */
  readonly allowCredentials?: boolean;
  /**
   * For a gateway without tokens on this machine: refuses requests whose `Host` is not a loopback name, whose `Origin` is not in
   * `allowOrigins`, and a `POST` of JSON without `application/json`. Default false.
   */
  readonly loopbackOnly?: boolean;
  /** The key that signs watch tokens, of at least 32 bytes; default a random one, so that a restart ends them. */
  readonly watchTokenSecret?: Uint8Array;
  /** Gets one entry for each request, once its answer's head is known. */
  readonly accessLog?: (entry: AccessEntry) => void;
  /** Gets what a handler threw unexpectedly; the caller gets a 500 without a reason. */
  readonly onError?: (error: unknown) => void;
  /**
   * Gets each request (debug) and what a handler threw (error), beside `accessLog` and `onError`; `console` is a logger. Default: nothing
   * is logged.
   */
  readonly logger?: Logger;
  /** The source of time, for tests; default the machine's. */
  readonly clock?: Clock;
}

/** A gateway: a web-platform handler. */
export interface Gateway extends AsyncDisposable {
  /** Resolves once the jobs of an earlier run are taken up; rejects where the index or the log can't be read. */
  readonly ready: Promise<void>;
  /** Answers a request; never rejects. Needs no `this`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Sends streams `reconnect`, ends them and stops following; the jobs go on. Submissions under way get 5 seconds for their answers.
   * Later requests get 503. The clients stay open.
   */
  readonly close: () => Promise<void>;
}

/** How often `authorize` is asked about an open stream. */
export const defaultReauthorizeMs = 30_000;

/** When a reader that takes nothing is cut. */
export const defaultStallMs = 30_000;

/** The limits of a caller where neither the gateway nor `authorize` sets them. */
export const defaultLimits: CallerLimits = {
  jobs: 100,
  keptBytes: 64 * 2 ** 20,
  streams: 32,
  uploads: 4,
  requestsPerSecond: 100,
  bodyBytes: 16 * 2 ** 20,
  uploadBytes: 256 * 2 ** 20,
  bodyValues: 100_000,
  templates: 100,
  templateBytes: 16 * 2 ** 20,
  heldBytes: 272 * 2 ** 20,
};

/** The limits of all callers together where the gateway sets none. */
export const defaultTotals: GatewayTotals = { streams: 10_000, uploads: 64, heldBytes: 512 * 2 ** 20 };
