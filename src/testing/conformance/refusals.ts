import assert from 'node:assert/strict';
import { api } from './api.js';
import { statusOf, waitForEnd } from './jobs.js';
import { filledText, isObject, list, object, text, texts } from './shape.js';
import type { Target } from './target.js';

/** What a refusal says, whichever way it came. */
interface Refusal {
  /** `error.type`. */
  readonly type: string;
  /** Node id → what is wrong with it. */
  readonly nodeErrors: Readonly<Record<string, NodeRefusal>>;
}

/** One node's errors. */
interface NodeRefusal {
  readonly types: readonly string[];
  readonly classType: string;
  readonly dependentOutputs: readonly string[];
}

/** Submits a workflow that is wrong and reads its refusal: at once, or from the job that fails by it. */
export const refusalOf = async (target: Target, prompt: unknown): Promise<Refusal> => {
  const answer = await api(target, 'POST', '/api/prompt', { body: { prompt } });
  if (answer.status === 400) return readRefusal(answer.json());
  assert.equal(answer.status, 200, 'it is refused at once or accepted for now');
  const promptId = filledText(object(answer.json(), 'the answer')['prompt_id'], 'prompt_id');
  assert.equal(await waitForEnd(target, promptId), 'failed');
  const message = text((await statusOf(target, promptId))['error_message'], 'error_message');
  const failure = object(JSON.parse(message) as unknown, 'error_message');
  assert.equal(failure['exception_type'], 'ValidationError');
  return readRefusal(embedded(text(failure['exception_message'], 'exception_message')));
};

/** The JSON from the first `{` to the last `}`. */
const embedded = (message: string): unknown =>
  JSON.parse(message.slice(message.indexOf('{'), message.lastIndexOf('}') + 1));

const readRefusal = (body: unknown): Refusal => {
  const { error, node_errors: nodeErrors } = object(body, 'the refusal');
  const { type, message } = object(error, 'error');
  filledText(message, 'error.message');
  return {
    type: filledText(type, 'error.type'),
    nodeErrors: Object.fromEntries(
      Object.entries(object(nodeErrors, 'node_errors')).map(([id, node]) => [id, readNode(id, node)]),
    ),
  };
};

const readNode = (id: string, value: unknown): NodeRefusal => {
  const node = object(value, `node_errors.${id}`);
  const errors = list(node['errors'], `errors of ${id}`).map((entry) => {
    const error = object(entry, `an error of ${id}`);
    filledText(error['message'], 'message');
    text(error['details'], 'details');
    assert.ok(isObject(error['extra_info']), 'extra_info is an object');
    return filledText(error['type'], 'type');
  });
  return {
    types: errors,
    classType: filledText(node['class_type'], `class_type of ${id}`),
    dependentOutputs: texts(node['dependent_outputs'], `dependent_outputs of ${id}`),
  };
};
