import { type Either, left, right } from '../core/protocol/either.js';
import { isApi, isApiNode, isUi, wrapperMembers } from './tell-format.js';
import { isJsonObject } from '../core/protocol/json/json.js';
import type { ServiceErrorDetails, ServiceErrorOf } from '../core/errors/errors.js';
import { serviceError } from '../core/errors/service-error.js';
import { shapeProblem } from '../core/protocol/json/shape-problem.js';
import type { Workflow } from '../core/protocol/workflow.js';
import { workflowShape } from '../core/protocol/generated/shapes.js';

/**
 * Reads a parsed JSON value as a workflow in API format, the format that a submission takes.
 *
 * It unwraps `{ prompt }`, `{ output, workflow }` and `{ workflow }`, and gives a node without `inputs` an empty object.
 * Left is `InvalidWorkflow`; for a file that the editor saved (its `format` is `ui`) the hint says how to convert it
 * (`toApiWorkflow` of `promptwire/workflow`) or to export the API format (docs/protocol.md, chapter 9).
 *
 * @example
 * ```ts
 * import { parseExactJson } from 'promptwire/workflow';
 * import { readApiWorkflow } from 'promptwire';
 *
 * const file = '{"1": {"class_type": "RandomNoise", "inputs": {"noise_seed": 18446744073709551615}}}';
 * const workflow = readApiWorkflow(parseExactJson(file)); // JSON.parse would round the seed
 * ```
 */
export const readApiWorkflow = (value: unknown): Either<ServiceErrorOf<'InvalidWorkflow'>, Workflow> => {
  if (isApi(value)) return check(value);
  if (isUi(value))
    return invalid('ui', 'This is a workflow as the editor saves it, not in API format.', howToExport);
  if (!isJsonObject(value)) return invalid('unknown', 'A workflow is an object of nodes.');
  if (Object.keys(value).length === 0) return invalid('empty', 'The workflow has no nodes.');

  const wrapped = wrapperMembers.filter((name) => Object.hasOwn(value, name));
  const inner = wrapped.map((name) => value[name]).find(isApi);
  if (inner !== undefined) return check(inner);
  if (wrapped.some((name) => isUi(value[name]))) {
    return invalid('ui', 'This holds a workflow as the editor saves it, not in API format.', howToExport);
  }
  return wrapped.length > 0
    ? invalid('wrapper', `The member "${wrapped.join('" or "')}" contains no workflow in API format.`)
    : check(value);
};

const howToExport =
  'Convert it (toApiWorkflow of promptwire/workflow, or the command promptwire convert), or open it in the editor and export the API format: menu "Workflow", "Export (API)"; in older versions switch on the dev mode in the settings, then "Save (API Format)".';

type Json = Readonly<Record<string, unknown>>;

const check = (value: Json): Either<ServiceErrorOf<'InvalidWorkflow'>, Workflow> => {
  const completed = withInputs(value);
  const problem = shapeProblem(workflowShape, completed);
  return problem === undefined
    ? right(completed as Workflow)
    : invalid('unknown', `The value is not a workflow in API format: ${problem}.`);
};

/** Adds empty inputs to the nodes that have none; the same value where all have some. */
const withInputs = (value: Json): Json => {
  const lacking = Object.keys(value).filter((nodeId) => lacksInputs(value[nodeId]));
  if (lacking.length === 0) return value;
  const completed = Object.assign(Object.create(null) as Record<string, unknown>, value);
  for (const nodeId of lacking) completed[nodeId] = { ...(value[nodeId] as Json), inputs: {} };
  return completed;
};

const lacksInputs = (node: unknown): boolean => isApiNode(node) && node['inputs'] === undefined;

const invalid = (
  format: ServiceErrorDetails['InvalidWorkflow']['format'],
  message: string,
  hint?: string,
): Either<ServiceErrorOf<'InvalidWorkflow'>, never> =>
  left(serviceError('InvalidWorkflow', { format, message, hint }));
