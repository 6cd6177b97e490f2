/** A JSON object of API v2. Texts may hold `{origin}` and `{base}`, which the server fills in. */
export type Doc = Readonly<Record<string, unknown>>;

/** The id of the job of a story. */
export const publishedId = '5f0c7a52-1f7e-4d3c-8a52-7c6c0d3f9b11';

/** Object shapes of the published description of API v2 (docs/protocol.md, 12.5), with one value for each member. */
export const job = (more: Doc = {}): Doc => ({
  id: publishedId,
  status: 'queued',
  created_at: '2026-08-01T12:00:00Z',
  started_at: null,
  completed_at: null,
  expires_at: '2026-08-08T12:00:00Z',
  queue_position: 1,
  progress: null,
  outputs: [],
  error: null,
  urls: relativeLinks,
  ...more,
});

/** A job that runs. */
export const running = (more: Doc = {}): Doc =>
  job({ status: 'running', started_at: '2026-08-01T12:00:01.250Z', queue_position: null, ...more });

/** A job that is over; `status` and what belongs to it come with `more`. */
export const ended = (more: Doc): Doc =>
  running({
    completed_at: '2026-08-01T12:00:09Z',
    progress: progress(1, { nodes_done: 3 }),
    metrics: { queue_ms: 1250, execution_ms: 7750 },
    ...more,
  });

/** Links as the contract prefers them: everything behind the origin. */
export const relativeLinks: Doc = linksFrom('{mount}');

/** Links with the origin that the request went to. */
export const absoluteLinks: Doc = linksFrom('{base}');

/** Links with another name of the same server, which makes it another origin. */
export const foreignLinks: Doc = linksFrom('{foreign}');

/** A snapshot of progress. */
export const progress = (value: number, more: Doc = {}): Doc => ({
  value,
  nodes_done: 1,
  nodes_total: 3,
  current_node: '3',
  current_node_class: 'KSampler',
  step: 4,
  steps: 20,
  ...more,
});

/** An output; its content is {@link contentOf} of its name. */
export const output = (name = 'lighthouse_00001_.png', more: Doc = {}): Doc => ({
  node_id: '9',
  name,
  type: 'image',
  content_type: 'image/png',
  size_bytes: contentOf(name).length,
  id: `out-${name}`,
  hash: `blake3:${'0a'.repeat(32)}`,
  url: `{base}/api/v2/assets/${encodeURIComponent(`out-${name}`)}/content`,
  url_expires_at: '2026-08-01T13:00:09Z',
  job_id: publishedId,
  ...more,
});

/** An uploaded asset. */
export const asset = (more: Doc = {}): Doc => ({
  id: 'asset-4f1d',
  hash: null,
  size_bytes: 3,
  content_type: 'image/png',
  file_path: 'cat.png',
  created_new: true,
  created_at: '2026-08-01T12:00:00Z',
  url: '{base}/api/v2/assets/asset-4f1d/content',
  url_expires_at: '2026-08-01T13:00:00Z',
  expires_at: null,
  job_id: null,
  ...more,
});

/** Why a job failed. */
export const jobError = (more: Doc = {}): Doc => ({
  code: 'node_execution_error',
  message: 'Allocation on device',
  node_id: '3',
  class_type: 'KSampler',
  traceback: 'Traceback (most recent call last):\n  File "execution.py", line 349\n',
  ...more,
});

/** The body of an error. */
export const envelope = (code: string, message = `refused: ${code}`, details?: Doc | null): Doc => ({
  error: { code, message, ...(details === undefined ? {} : { details }) },
});

/** The bytes of an output: a PNG's first bytes and its name. */
export const contentOf = (name: string): Buffer =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from(name)]);

/** The smallest picture that browsers take: a JPEG's first and last bytes. */
export const jpegBase64 = '/9j/4AAQSkZJRgABAQEASABIAAD/2Q==';

function linksFrom(start: string): Doc {
  const self = `${start}/api/v2/jobs/${publishedId}`;
  return { self, events: `${self}/events`, cancel: `${self}/cancel` };
}
