import { type Answer, json } from '../../http/answer.js';
import { asJsonObject, type JsonObject } from '../../http/request.js';
import { envelope } from '../envelope.js';
import { fieldErrors } from '../node-errors.js';
import { readGraph } from '../../validation/read-graph.js';
import { readMetadata } from '../metadata.js';
import { resolveReferences } from '../references.js';
import { tooMany } from '../refusals.js';
import type { V2Account, V2Handler, V2Request, V2Service } from '../v2-service.js';
import { validatePrompt, type Verdict } from '../../validation/validate-prompt.js';
import { withIdempotencyKey } from '../single-use.js';

/** `POST /jobs`: checks the account and the workflow, and queues the job; 201 means that every later poll finds it. */
export const submitJob: V2Handler = async (request) => {
  const text = await request.text();
  return withIdempotencyKey(request, () => submit(request, text));
};

const submit = ({ service, account, origin }: V2Request, text: string): Answer => {
  const body = parse(text);
  if (!body) return envelope(400, 'invalid_request', 'The body is no JSON object.');
  const extraData = asJsonObject(body['extra_data'] ?? {});
  const refused = bodyRefusal(body, extraData) ?? accountRefusal(service, account);
  if (refused) return refused;
  const { switches } = service.base.settings;
  const labels = readMetadata(body['metadata'], switches);
  if ('refusal' in labels) return labels.refusal;

  const prompt = asJsonObject(body['workflow']);
  if (!prompt) return invalid('The body has no `workflow`, an object of nodes.');
  if (isUiFormat(prompt)) {
    const message = 'The workflow is one as the editor saves it; it takes the API format.';
    return envelope(422, 'workflow_format_ui', message);
  }
  const { workflow, missing, assets } = resolveReferences(prompt, account.assets, account.base.files);
  if (missing.length > 0) {
    const message = 'The workflow refers to assets that do not exist.';
    return envelope(422, 'missing_asset', message, { details: { missing_ids: missing } });
  }
  const verdict = validated(workflow, service, account);
  if ('status' in verdict) return verdict;
  const job = account.base.scheduler.submit({
    graph: verdict.graph,
    prompt,
    extraData: extraData ?? {},
    targets: verdict.good,
    refusal: undefined,
  });
  account.jobs.setMetadata(job.id, labels.metadata);
  account.uses.set(
    job.id,
    assets.map(({ id }) => id),
  );
  const feed = account.jobs.get(job.id);
  return feed
    ? json(service.documents.job(feed, origin), 201)
    : envelope(500, 'upstream_error', 'The job is gone.');
};

/** Validates a workflow as the engine does; the answer that refuses it where it is invalid. */
const validated = (workflow: unknown, { base }: V2Service, account: V2Account): Verdict | Answer => {
  const read = readGraph(workflow, base.nodeClasses, { missingNode: 'missing_node_type' });
  if ('error' in read) {
    const { message, extra_info: info } = read.error;
    const nodeErrors =
      typeof info['node_id'] === 'string'
        ? { [info['node_id']]: [{ field: 'class_type', reason: message }] }
        : {};
    return invalid(message, nodeErrors);
  }
  const verdict = validatePrompt(read.graph, undefined, base.nodeClasses, account.base.files, {
    namesCycles: true,
  });
  if (!verdict.error) return verdict;
  const { nodeErrors } = verdict;
  const isEngine = base.settings.switches.nodeErrors === 'engine';
  return invalid(verdict.error.message, isEngine ? nodeErrors : fieldErrors(nodeErrors));
};

/** Why a body is refused before anything is looked up. */
const bodyRefusal = (body: JsonObject, extraData: JsonObject | undefined): Answer | undefined => {
  const unknown = unknownMember(body, extraData);
  if (unknown !== undefined) return invalid(`The body takes no ${unknown}.`);
  return asJsonObject(extraData?.['emulate'])?.['status'] === 500
    ? envelope(500, 'upstream_error', 'The submission asked for this.')
    : undefined;
};

const parse = (text: string): JsonObject | undefined => {
  try {
    return asJsonObject(JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
};

const invalid = (message: string, nodeErrors: unknown = {}): Answer =>
  envelope(422, 'invalid_workflow', message, { details: { node_errors: nodeErrors } });

/** Both the body and its `extra_data` are closed; `webhook_url` and `inputs` are reserved, and count where they are null as well. */
const unknownMember = (body: JsonObject, extraData: JsonObject | undefined): string | undefined => {
  if (!extraData) return '`extra_data` that is no object';
  const inBody = Object.keys(body).find((name) => !bodyMembers.has(name));
  if (inBody !== undefined) return `\`${inBody}\``;
  const inExtra = Object.keys(extraData).find((name) => !extraMembers.has(name));
  return inExtra === undefined ? undefined : `\`extra_data.${inExtra}\``;
};

const bodyMembers: ReadonlySet<string> = new Set(['workflow', 'extra_data', 'metadata']);
/** The last one is the emulator's own, by which a submission asks for a failure. */
const extraMembers: ReadonlySet<string> = new Set([
  'api_key_comfy_org',
  'auth_token_comfy_org',
  'extra_pnginfo',
  'emulate',
]);

const isUiFormat = (prompt: JsonObject): boolean =>
  Array.isArray(prompt['nodes']) && ('links' in prompt || 'last_node_id' in prompt || 'version' in prompt);

/** Why the account may not submit now; `undefined` if it may. */
const accountRefusal = (service: V2Service, account: V2Account): Answer | undefined => {
  const { switches, clock } = service.base.settings;
  if (switches.notReadyMs === Infinity) {
    return envelope(422, 'deployment_stopped', 'The deployment is stopped.');
  }
  if (clock.now() < service.startedAt + switches.notReadyMs) {
    return tooMany(service, 'deployment_not_ready', 'The deployment is starting.');
  }
  switch (service.base.billing()) {
    case 'no credits':
      return envelope(402, 'insufficient_credits', 'The account has no credits left.');
    case 'inactive':
      return envelope(403, 'forbidden', 'The account has no active subscription.');
    case 'active':
  }
  if (account.base.scheduler.queued() >= switches.queueLimit) {
    return tooMany(service, 'queue_full', `The queue is full: ${switches.queueLimit} jobs wait.`);
  }
  return undefined;
};
