import type { Account, Service } from '../cloud-service.js';
import { type Answer, json, promptRefusal, refusal } from '../../http/answer.js';
import type { Handler } from '../handler.js';
import { asJsonObject, type JsonObject, readJsonObject } from '../../http/request.js';
import { stringifyExact } from '../../exact-json.js';
import { failureWithoutNode } from '../../scheduler/job.js';
import type { GraphNode } from '../../scheduler/graph.js';
import { ownModels } from '../own-models.js';
import { refusalOfPaidNodes } from '../paid-nodes.js';
import { readGraph } from '../../validation/read-graph.js';
import { noPromptError } from '../../validation/problem.js';
import { replaceClasses } from '../../validation/replace-classes.js';
import { validatePrompt, type Verdict } from '../../validation/validate-prompt.js';

/**
 * `POST /api/prompt`: checks the account, validates (at once or at pick-up, by switch) and queues.
 * Where 400 is switched off, invalid prompts are queued as well.
 */
export const submitPrompt: Handler = async ({ service, account, text }) => {
  const { settings } = service;
  const strict = settings.has('status:400');
  const body = readJsonObject(await text());
  if (!body && strict) return refusal(400, 'BAD_REQUEST', 'The body is no JSON object.');
  const extraData = asJsonObject(body?.['extra_data']) ?? {};
  if (asksFor500(extraData) && settings.has('status:500')) {
    return refusal(500, 'INTERNAL_ERROR', 'The submission asked for this.');
  }
  const refused = accountRefusal(service, account);
  if (refused) return refused;

  const sent = withReplacements(service, body ?? {});
  const verdict = validated(service, account, sent, strict);
  if ('status' in verdict) return verdict;
  const job = account.scheduler.submit({
    graph: verdict.graph,
    prompt: asJsonObject(sent['prompt']) ?? {},
    extraData,
    targets: verdict.good,
    ...placeOf(body ?? {}),
    refusal: verdict.error && failureWithoutNode('ValidationError', embed(verdict)),
  });
  const atOnce = settings.switches.validation === 'at once';
  return accepted(job.id, job.number, atOnce ? verdict.nodeErrors : {});
};

/** Replaces classes of the prompt, on a service that does. */
const withReplacements = ({ settings, nodeClasses }: Service, body: JsonObject): JsonObject => {
  const prompt = settings.switches.nodeReplacements ? asJsonObject(body['prompt']) : undefined;
  return prompt === undefined ? body : { ...body, prompt: replaceClasses(prompt, nodeClasses) };
};

/** Validates the prompt of a submission; the answer that refuses it where it is invalid, and that shows at once. */
const validated = (
  { settings, nodeClasses }: Service,
  { files }: Account,
  body: JsonObject,
  strict: boolean,
): Verdict | Answer => {
  const { prompt, partial_execution_targets: targets } = body;
  const read = readGraph(prompt, nodeClasses, settings.switches);
  if ('error' in read && strict) return promptRefusal(400, prompt === undefined ? noPromptError : read.error);
  const graph = 'graph' in read ? read.graph : new Map<string, GraphNode>();
  const unpaid = refusalOfPaidNodes(graph, nodeClasses, settings.switches);
  if (unpaid) return unpaid;
  const namesCycles = settings.switches.missingNode === 'missing_node_type';
  const known = { ...files, models: ownModels(settings.switches) };
  const verdict = validatePrompt(graph, textList(targets), nodeClasses, known, { namesCycles });
  return verdict.error && strict && isFoundAtOnce(verdict, settings)
    ? promptRefusal(400, verdict.error, verdict.nodeErrors)
    : verdict;
};

/** Whether an invalid prompt is refused with its submission; the absence of outputs always is, as no node is checked for it. */
const isFoundAtOnce = ({ error }: Verdict, { switches }: Service['settings']): boolean =>
  switches.validation === 'at once' || error?.type === 'prompt_no_outputs';

/** What a submission asks for besides its workflow: a place before all others, and the id of a saved workflow. */
const placeOf = ({ front, workflow_id: workflowId }: JsonObject): { front?: true; workflowId?: string } => ({
  ...(front === true && { front }),
  ...(typeof workflowId === 'string' && { workflowId }),
});

const accepted = (promptId: string, number: number, nodeErrors: Verdict['nodeErrors']): Answer =>
  json({ prompt_id: promptId, number, node_errors: nodeErrors });

/** `extra_data.emulate.status: 500` asks for a failing submission. */
const asksFor500 = (extraData: JsonObject): boolean => asJsonObject(extraData['emulate'])?.['status'] === 500;

const textList = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((member) => typeof member === 'string') : undefined;

/** The `exception_message` of a validation at pick-up: a readable prefix, then the refusal's body. */
const embed = ({ error, nodeErrors }: Verdict): string =>
  `The workflow does not validate: ${stringifyExact({ error, node_errors: nodeErrors })}`;

/** Why the account may not submit now: no plan, no credits or a full queue; `undefined` if it may. */
const accountRefusal = ({ billing, settings }: Service, account: Account): Answer | undefined => {
  const { has, switches } = settings;
  const plan = switches.inactiveSubscription;
  if (billing() === 'inactive' && has(`status:${plan}`)) {
    const message = 'The account has no active subscription.';
    return promptRefusal(plan, { type: 'CLOUD_SUBSCRIPTION_REQUIRED', message });
  }
  if (billing() === 'no credits' && has('status:402')) {
    return promptRefusal(402, { type: 'PAYMENT_REQUIRED', message: 'The account has no credits left.' });
  }
  if (account.scheduler.queued() >= switches.queueLimit && has('status:429')) {
    const message = `The queue is full: ${switches.queueLimit} jobs wait.`;
    return promptRefusal(429, { type: 'QUEUE_LIMIT', message });
  }
  return undefined;
};
