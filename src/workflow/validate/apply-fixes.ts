import { isJsonObject } from '../../core/protocol/json/json.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * Copies a workflow with the fixes of its problems: misspelt inputs get their names, values the value that makes them right.
 *
 * No class, file or choice becomes another one: a `fix` is the same thing in the spelling of the server, and a `suggestion` is for a
 * person to choose. Problems without a `fix` stay; filter the list to choose what changes.
 *
 * The same workflow is returned where nothing changes. Nodes that don't change are shared with the copy.
 *
 * @example
 * ```ts
 * import { applyFixes, validateWorkflow, type NodeDefinitions } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const repaired = (workflow: Workflow, definitions: NodeDefinitions) =>
 *   applyFixes(workflow, validateWorkflow(workflow, definitions));
 * ```
 */
export const applyFixes = (workflow: Workflow, problems: readonly Problem[]): Workflow => {
  const drafts = new Map<string, Draft>();
  // Names first: a value belongs to the input's right name.
  for (const isName of [true, false]) {
    for (const problem of problems) {
      if (problem.fix === undefined || problem.nodeId === undefined || namesSomething(problem) !== isName)
        continue;
      const draft = drafts.get(problem.nodeId) ?? draftOf(workflow, problem.nodeId);
      if (draft !== undefined && (isName ? rename(draft, problem) : setValue(draft, problem)))
        drafts.set(problem.nodeId, draft);
    }
  }
  if (drafts.size === 0) return workflow;
  // Entries keep a node id such as `__proto__`, which an assignment would not.
  return Object.fromEntries(
    Object.entries(workflow).map(([id, node]) => {
      const draft = drafts.get(id);
      return [id, draft === undefined ? node : { ...node, inputs: Object.fromEntries(draft.inputs) }];
    }),
  );
};

/** The inputs of a node under repair, which keep their order. */
interface Draft {
  inputs: Map<string, unknown>;
}

const namesSomething = ({ type }: Problem): boolean => type === 'unknown_input';

const draftOf = (workflow: Workflow, nodeId: string): Draft | undefined => {
  const node: unknown =
    isJsonObject(workflow) && Object.hasOwn(workflow, nodeId) ? workflow[nodeId] : undefined;
  if (!isJsonObject(node)) return undefined;
  const inputs = node['inputs'];
  return { inputs: new Map(isJsonObject(inputs) ? Object.entries(inputs) : []) };
};

const rename = (draft: Draft, { input, fix }: Problem): boolean => {
  if (typeof fix !== 'string') return false;
  if (input === undefined || !draft.inputs.has(input) || draft.inputs.has(fix)) return false;
  draft.inputs = new Map([...draft.inputs].map(([name, value]) => [name === input ? fix : name, value]));
  return true;
};

const setValue = (draft: Draft, { type, input, fix }: Problem): boolean => {
  if (input === undefined || (type === 'required_input_missing' && draft.inputs.has(input))) return false;
  draft.inputs.set(input, fix);
  return true;
};
