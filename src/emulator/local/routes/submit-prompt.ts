import { type Answer, promptRefusal } from '../../http/answer.js';
import { asJsonObject, type JsonObject } from '../../http/request.js';
import type { LocalHandler, LocalService } from '../local-service.js';
import { localJson, readBody } from '../local-http.js';
import { isUuid } from '../../uuid.js';
import { type NodeErrors, noPromptError } from '../../validation/problem.js';
import { PythonFloat } from '../../python-float.js';
import { pythonNumber, pythonText, ServerError } from '../python.js';
import { readGraph } from '../../validation/read-graph.js';
import { replaceClasses } from '../../validation/replace-classes.js';
import { validatePrompt, type Verdict } from '../../validation/validate-prompt.js';

/** `POST /prompt`: validates at once and queues; input that the engine does not expect is a 500. */
export const submitPrompt: LocalHandler = async ({ service, text }) => {
  const body = readBody(await text());
  if (Array.isArray(body)) return noPrompt();
  const members = asJsonObject(body);
  if (!members) throw new ServerError('the body is no object');
  const number = takeNumber(members, service);
  if (!('prompt' in members)) return noPrompt();
  const extraData = readExtraData(members, service);
  const { nodeClasses, settings } = service;
  const { ownIds, checksIds, partialTargets, checksNewCombos, namesCycles } = settings.facts;
  const named = ownIds ? readId(members, checksIds) : undefined;
  if (named === null) return refuse(invalidIdError);
  const given = readPrompt(members['prompt']);
  const prompt = settings.switches.nodeReplacements ? replaceClasses(given, nodeClasses) : given;
  const read = readGraph(prompt, nodeClasses, settings.switches);
  if ('error' in read) return refuse(read.error);
  const wanted = partialTargets ? members['partial_execution_targets'] : undefined;
  const targets = Array.isArray(wanted) ? wanted.map(pythonText) : undefined;
  const validated = validatePrompt(read.graph, targets, service.nodeClasses, knownFiles(service), {
    checksNewCombos,
    namesCycles,
  });
  const nodeErrors = validated.nodeErrors;
  if (validated.error) {
    const details = Object.keys(nodeErrors).length === 0 ? '' : validated.error.details;
    return refuse({ ...validated.error, details }, nodeErrors);
  }
  const id = named ?? service.ids.uuid();
  service.queue.submit(
    {
      graph: validated.graph,
      prompt,
      extraData,
      targets: validated.good,
      refusal: undefined,
    },
    { id, ...number, clientId: extraData['client_id'] },
  );
  return localJson({ prompt_id: id, number: number.shownNumber, node_errors: nodeErrors });
};

const knownFiles = ({ files, device }: LocalService) => ({ ...files, checkpoints: device.checkpoints });

/** A given number is a float; otherwise numbers are counted, and `front` negates the number. */
const takeNumber = (
  members: JsonObject,
  { numbers }: LocalService,
): { readonly number: number; readonly shownNumber: unknown } => {
  if ('number' in members) {
    const number = pythonNumber(members['number']);
    return { number, shownNumber: new PythonFloat(number) };
  }
  const counted = numbers.next();
  const number = members['front'] === true ? -counted : counted;
  return { number, shownNumber: number };
};

/** The id that the submission asks for; undefined for none, null for one that the engine does not take. */
const readId = (members: JsonObject, checksIds: boolean): string | null | undefined => {
  const { prompt_id: id } = members;
  if (!('prompt_id' in members) || (checksIds && id === null)) return undefined;
  if (!checksIds) return pythonText(id);
  return typeof id === 'string' && isUuid(id) ? id : null;
};

const invalidIdError = {
  type: 'invalid_prompt_id',
  message: 'prompt_id must be a valid UUID',
  details: 'prompt_id must be a valid UUID',
  extra_info: {},
};

/** The body's `client_id` overrides the one in `extra_data`, and so does the time of the submission. */
const readExtraData = (members: JsonObject, { settings, clock }: LocalService): JsonObject => {
  const given = 'extra_data' in members ? asJsonObject(members['extra_data']) : {};
  if (!given) throw new ServerError('extra_data is no object');
  return {
    ...given,
    ...('client_id' in members ? { client_id: members['client_id'] } : {}),
    ...(settings.facts.createTime && { create_time: clock.now() }),
  };
};

/** An empty list or text is an empty workflow; a node that the engine can't look into is a {@link ServerError}. */
const readPrompt = (prompt: unknown): JsonObject => {
  const isEmpty = (Array.isArray(prompt) || typeof prompt === 'string') && prompt.length === 0;
  const nodes = isEmpty ? {} : asJsonObject(prompt);
  if (!nodes || Object.values(nodes).some(breaksLookup)) {
    throw new ServerError('the prompt is no object of nodes');
  }
  return nodes;
};

/** Whether the search for a node's class breaks off: in a list or a text it begins as in an object. */
const breaksLookup = (node: unknown): boolean => {
  if (typeof node === 'string' || Array.isArray(node)) return node.includes('class_type');
  const classType = asJsonObject(node)?.['class_type'];
  return asJsonObject(node) === undefined || (typeof classType === 'object' && classType !== null);
};

const noPrompt = (): Answer => refuse(noPromptError);

const refuse = (error: NonNullable<Verdict['error']>, nodeErrors: NodeErrors = {}): Answer => ({
  ...promptRefusal(400, error),
  body: localJson({ error, node_errors: nodeErrors }).body ?? '',
});
