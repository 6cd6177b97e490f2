import { checkNode } from './check-node.js';
import { components } from './components.js';
import type { NodeDefinitions } from '../definitions.js';
import { done, type Steps } from '../../core/protocol/steps.js';
import { outputNodes, type Prompt, type PromptNode, readPrompt } from './read-prompt.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { Verdict } from './verdict.js';

/**
 * Says what an engine does with a workflow that has these problems; only errors count.
 *
 * An output node is good where neither it nor a node above it has an error. All good is `accepted`, some `partly`, none
 * `refused`. Leave a problem out to see what the workflow would be without it.
 *
 * @example
 * ```ts
 * import { validateWorkflow, verdictOf, type NodeDefinitions } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const runsWhole = (workflow: Workflow, definitions: NodeDefinitions) =>
 *   verdictOf(workflow, definitions, validateWorkflow(workflow, definitions)) === 'accepted';
 * ```
 */
export const verdictOf = (
  workflow: unknown,
  nodeDefinitions: NodeDefinitions,
  problems: readonly Problem[],
): Verdict => done(deciding(workflow, nodeDefinitions, problems));

/** The steps of {@link verdictOf}. */
export function* deciding(
  workflow: unknown,
  nodeDefinitions: NodeDefinitions,
  problems: readonly Problem[],
): Steps<Verdict> {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return 'accepted';
  if (errors.some(({ nodeId, type }) => nodeId === undefined || ofTheWhole.has(type))) return 'refused';

  const { prompt } = yield* readPrompt(workflow, nodeDefinitions, scope);
  const outputs = outputNodes(prompt);
  const bad = yield* withDependents(new Set(errors.map(({ nodeId = '' }) => nodeId)), outputs, prompt);
  const good = outputs.filter(({ id }) => !bad.has(id)).length;
  return good === 0 ? 'refused' : good === outputs.length ? 'accepted' : 'partly';
}

/** Of one node, but the engine refuses all for it. */
const ofTheWhole: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'invalid_prompt',
  'missing_node_type',
  'server_error',
]);

const scope = { rules: '0.3.64', suggest: () => undefined } as const;

/** These nodes, and all that need one of them. */
function* withDependents(
  bad: ReadonlySet<string>,
  outputs: readonly PromptNode[],
  prompt: Prompt,
): Steps<ReadonlySet<string>> {
  const dependents = new Map<string, string[]>();
  yield* components(outputs, (node) => {
    const { needs } = checkNode(node, prompt, scope);
    for (const { id } of needs) {
      const list = dependents.get(id);
      if (list === undefined) dependents.set(id, [node.id]);
      else list.push(node.id);
    }
    return needs;
  });
  const all = new Set<string>();
  const spreading = [...bad];
  for (let id = spreading.pop(); id !== undefined; id = spreading.pop()) {
    if (all.has(id)) continue;
    all.add(id);
    for (const dependent of dependents.get(id) ?? []) spreading.push(dependent);
  }
  return all;
}
