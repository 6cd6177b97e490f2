import type { Workflow } from '../../workflow.js';

/** A link that a node of the same workflow can stand for. */
export interface Link {
  readonly nodeId: string;
  readonly slot: number;
}

/** The link that a value is; undefined for any other value, also for a link to nothing. */
export const linkOf = (workflow: Workflow, value: unknown): Link | undefined => {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [nodeId, slot] = value as readonly unknown[];
  return typeof nodeId === 'string' &&
    Object.hasOwn(workflow, nodeId) &&
    typeof slot === 'number' &&
    Number.isSafeInteger(slot) &&
    slot >= 0 &&
    !Object.is(slot, -0)
    ? { nodeId, slot }
    : undefined;
};

/**
 * The ids of a workflow, each after all that it links to and otherwise in their own order. In a cycle one node has to come before
 * what it links to.
 */
export const ordered = (workflow: Workflow): readonly string[] => {
  const done: string[] = [];
  const seen = new Set<string>();
  const path: { readonly id: string; readonly needs: Iterator<string> }[] = [];
  const enter = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    const needs = Object.values(workflow[id]?.inputs ?? {}).flatMap(
      (value) => linkOf(workflow, value)?.nodeId ?? [],
    );
    path.push({ id, needs: needs.values() });
  };
  for (const root of Object.keys(workflow)) {
    enter(root);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const need = step.needs.next();
      if (need.done !== true) enter(need.value);
      else {
        done.push(step.id);
        path.pop();
      }
    }
  }
  return done;
};
