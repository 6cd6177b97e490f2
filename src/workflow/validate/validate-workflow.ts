import { checkOutputs } from './check-outputs.js';
import { noOutputs, outputNodes, type PromptNode, readPrompt } from './read-prompt.js';
import type { NodeDefinitions } from '../definitions.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { Rules } from './rules.js';
import { done, type Steps } from '../../core/protocol/steps.js';
import { suggester } from './suggest.js';

/** Options of {@link validateWorkflow}. */
export interface ValidateOptions {
  /**
   * Whose rules hold; default `0.3.64`. Under `2026` a value must be in the newer form of a list as well, and a node of an
   * unknown class is a `missing_node_type`.
   */
  readonly rules?: Rules | undefined;
}

/**
 * Says what an engine would say to a workflow in API format, before it costs anything; an empty list is a workflow without
 * problems.
 *
 * Errors are what the engine refuses, with its own types; `dependency_cycle` and `server_error` stand for what it shows only
 * by refusing. Warnings are what it lets pass: inputs that it ignores (`unknown_input`), nodes that don't run
 * (`unreachable_node`), outputs that it drops (`output_dropped`), values that it changes (`value_rounded`, `value_coerced`,
 * `value_inexact`), files that it does not list (`file_not_in_list`). Where only the server can tell, `serverOnly` is true.
 *
 * It never throws, changes nothing, and takes time linear in the workflow.
 *
 * @param nodeDefinitions - The service's `object_info`, as `client.rest.objectInfo()` gives it.
 *
 * @example
 * ```ts
 * import { validateWorkflow, type NodeDefinitions } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const report = (workflow: Workflow, definitions: NodeDefinitions) => {
 *   for (const { severity, message } of validateWorkflow(workflow, definitions)) console.log(severity, message);
 * };
 * ```
 */
export const validateWorkflow = (
  workflow: unknown,
  nodeDefinitions: NodeDefinitions,
  options: ValidateOptions = {},
): readonly Problem[] => done(validating(workflow, nodeDefinitions, options));

/** The steps of {@link validateWorkflow}. */
export function* validating(
  workflow: unknown,
  nodeDefinitions: NodeDefinitions,
  { rules = '0.3.64' }: ValidateOptions,
): Steps<readonly Problem[]> {
  const scope = { rules, suggest: suggester() };
  const { prompt, problems } = yield* readPrompt(workflow, nodeDefinitions, scope);
  if (problems.length > 0) return problems;
  const outputs = outputNodes(prompt);
  if (outputs.length === 0) return [noOutputs()];
  return inOrder(prompt, yield* checkOutputs(outputs, prompt, scope));
}

/** In the order of the nodes. */
const inOrder = (
  prompt: ReadonlyMap<string | undefined, PromptNode>,
  problems: readonly Problem[],
): readonly Problem[] => {
  const placeOf = ({ nodeId }: Problem): number => prompt.get(nodeId)?.at ?? 0;
  return problems.toSorted((one, other) => placeOf(one) - placeOf(other));
};
