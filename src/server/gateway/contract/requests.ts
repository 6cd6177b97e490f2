import { nullable, object, request, timestamp, webhookKind, words } from './shapes.js';
import { annotated } from './annotated.js';
import { longestTokenMs } from '../http/watch-tokens.js';
import * as t from 'io-ts';

/** A node of a workflow in API format. */
export const workflowNode = object(
  'WorkflowNode',
  { class_type: t.string },
  { inputs: t.UnknownRecord, _meta: t.unknown },
);

/** A workflow in API format: node id to node. */
export const workflow = t.record(t.string, workflowNode, 'Workflow');

/** No control characters, and none that change the direction of text. */
export const shownText =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$';

const labelPattern = '^(?!__proto__$)[A-Za-z0-9_.-]{1,40}$';

/** The name of a label. */
export const labelName = annotated(t.string, { pattern: labelPattern });

/** The labels that a list is filtered by. */
export const labelFilter = annotated(t.record(t.string, t.string), {
  propertyNames: { pattern: labelPattern },
  maxProperties: 3,
});

/** The labels of a job. */
export const metadata = annotated(
  t.record(t.string, annotated(t.string, { maxLength: 500, pattern: shownText })),
  {
    propertyNames: { pattern: labelPattern },
    maxProperties: 16,
    description: 'Labels that are kept with the job, and that lists can be filtered by.',
  },
);

/** What the header `Idempotency-Key` holds. */
export const idempotencyKey = annotated(t.string, { pattern: '^(?=.*[!-~])[ -~]{1,255}$' });

/** `extra_data` of a submission. */
export const v2ExtraData = request(
  'V2ExtraData',
  {},
  { api_key_comfy_org: nullable(annotated(t.string, { minLength: 1 })), extra_pnginfo: t.unknown },
);

/** `POST /api/v2/jobs`. */
export const v2Submission = request('V2Submission', { workflow }, { metadata, extra_data: v2ExtraData });

/** How long an upload is kept. */
export const lifetime = annotated(t.number, {
  minimum: 60,
  maximum: 604_800,
  multipleOf: 1,
  description: 'Seconds.',
});

/** A BLAKE3 hash. */
export const fileHash = annotated(t.string, { pattern: '^blake3:[0-9a-f]{64}$' });

const filePath = annotated(t.string, { maxLength: 1024 });

/** `POST /api/v2/assets/from-hash`. */
export const v2AssetOfHash = object(
  'V2AssetOfHash',
  { hash: fileHash },
  { file_path: filePath, content_type: t.string, expires_in: lifetime },
);

/** The bytes of a file in a form. */
export const bytes = annotated(t.string, { format: 'binary' });

/** `POST /api/v2/assets` and `POST /uploads` as a form. */
export const uploadForm = object(
  'UploadForm',
  { file: bytes },
  { file_path: filePath, content_type: t.string, expected_hash: fileHash, expires_in: lifetime },
);

const secret = annotated(t.string, {
  pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$',
  description: '`whsec_` and 24 to 64 random bytes as base64.',
});

/** One is enough but while it is replaced. */
export const webhookSecrets = annotated(t.array(secret), { minItems: 1, maxItems: 5 });

/** Which messages a webhook gets. */
export const webhookEvents = annotated(t.array(webhookKind), { minItems: 1 });

/** `PUT /webhooks`, and the webhook of one job. */
export const webhookRegistration = request(
  'WebhookRegistration',
  { url: annotated(t.string, { format: 'uri', maxLength: 2048 }), secrets: webhookSecrets },
  { events: webhookEvents },
);

/** A file as the value of an input: its bytes, or an address of the origins that the operator lists. */
export const inputFile = t.union(
  [
    request('InputBytes', { base64: t.string }, { filename: t.string, mediaType: t.string }),
    request('InputAddress', { url: t.string }, { filename: t.string, mediaType: t.string }),
  ],
  'InputFile',
);

/** Values of inputs by name; a file is an {@link inputFile}, or what an upload is called. */
const inputs = t.record(
  t.string,
  t.union([inputFile, t.string, t.number, t.boolean, t.null, t.UnknownArray, t.UnknownRecord]),
);

/** `POST /jobs`. */
export const jobSubmission = request(
  'JobSubmission',
  { workflow },
  { inputs, metadata, extra_data: v2ExtraData, webhook: webhookRegistration },
);

/** `POST /jobs` and `POST /templates/:name` as a form: the members as JSON, and inputs by name in other fields. */
export const submissionForm = annotated(
  object(
    'SubmissionForm',
    {},
    { workflow: t.string, inputs: t.string, metadata: t.string, extra_data: t.string, webhook: t.string },
  ),
  { description: 'Other fields are inputs by name, as texts or files.' },
);

/** `POST /templates/:name`. */
export const templateSubmission = request(
  'TemplateSubmission',
  {},
  { inputs, metadata, webhook: webhookRegistration },
);

/** How long a ticket opens. */
export const ticketSeconds = annotated(t.number, { exclusiveMinimum: 0, maximum: longestTokenMs / 1000 });

/** `POST /watch-tokens`. */
export const watchTokenRequest = object('WatchTokenRequest', {}, { job: t.string, seconds: ticketSeconds });

/** The answer of `POST /watch-tokens`. */
export const watchToken = t.type({ ticket: t.string, expires_at: timestamp }, 'WatchToken');

/** How many jobs a page has. */
export const listLimit = annotated(t.number, { minimum: 1, maximum: 100, multipleOf: 1 });

/** The words of a search. */
export const listText = annotated(t.string, { maxLength: 200 });

/** The kinds of files that a list may be filtered by. */
export const listKind = words('image', 'video', 'audio', '3d', 'text', 'other');

/** The words that a list may be filtered by: those of `JobState`, and those of API v2. */
export const listStatus = words(
  ...(['submitting', 'pending', 'in_progress', 'completed', 'failed', 'cancelled', 'untraceable'] as const),
  ...(['unknown', 'queued', 'running', 'succeeded', 'canceled', 'expired'] as const),
);
