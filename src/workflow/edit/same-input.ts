import { linkOf } from './nodes-of.js';
import { sameValue } from './same-value.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Two workflows, and which node of the first is which one of the second. */
export interface Paired {
  readonly before: Workflow;
  readonly after: Workflow;
  /** Id in the first workflow → id in the second. */
  readonly newIds: ReadonlyMap<string, string>;
}

/** Whether an input is the same: links are where they lead to the same output, also where its node has another id. */
export const isSameInput = ({ before, after, newIds }: Paired, one: unknown, other: unknown): boolean => {
  const link = linkOf(before, one);
  const otherLink = linkOf(after, other);
  if (link === undefined || otherLink === undefined) return link === otherLink && sameValue(one, other);
  return newIds.get(link.nodeId) === otherLink.nodeId && link.slot === otherLink.slot;
};

/** The inputs of two nodes that differ, by name. */
export const differentInputs = (
  paired: Paired,
  { inputs: former }: Workflow[string],
  { inputs }: Workflow[string],
): readonly string[] =>
  [...new Set([...Object.keys(former), ...Object.keys(inputs)])].filter(
    (input) =>
      !Object.hasOwn(former, input) ||
      !Object.hasOwn(inputs, input) ||
      !isSameInput(paired, former[input], inputs[input]),
  );
