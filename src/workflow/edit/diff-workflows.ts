import { linkOf } from './nodes-of.js';
import { pairNodes } from './pair-nodes.js';
import { sameValue } from './same-value.js';
import type { Workflow, WorkflowNode } from '../../core/protocol/workflow.js';

/** One difference of two workflows; ids are those of the second one, but those of removed nodes. */
export type WorkflowChange =
  | {
      /** Only the first workflow has the node. */
      readonly _tag: 'NodeRemoved';
      /** Its id there. */
      readonly nodeId: string;
      /** The node. */
      readonly node: WorkflowNode;
    }
  | {
      /** Only the second workflow has the node. */
      readonly _tag: 'NodeAdded';
      /** Its id. */
      readonly nodeId: string;
      /** The node. */
      readonly node: WorkflowNode;
    }
  | {
      /** The node has another id. Links to it that follow are no changes. */
      readonly _tag: 'IdChanged';
      /** Its id in the second workflow. */
      readonly nodeId: string;
      /** Its id in the first one. */
      readonly from: string;
    }
  | {
      /** The node has another class, or another title. */
      readonly _tag: 'ClassChanged' | 'TitleChanged';
      /** The id of the node. */
      readonly nodeId: string;
      /** Before; undefined where there was none. */
      readonly from: string | undefined;
      /** Now; undefined where there is none. */
      readonly to: string | undefined;
    }
  | {
      /** An input has another value or another link, or came or went. */
      readonly _tag: 'InputChanged';
      /** The id of the node. */
      readonly nodeId: string;
      /** The name of the input. */
      readonly input: string;
      /** Before, as the first workflow has it; absent where it lacked the input. */
      readonly from?: unknown;
      /** Now, as the second workflow has it; absent where it lacks the input. */
      readonly to?: unknown;
    };

/**
 * Names the differences of two workflows in API format: nodes that came and went, and other ids, classes, titles and inputs.
 *
 * An editor numbers nodes anew when it pleases: a node whose id alone is another, since class, title and inputs are the same, is
 * `IdChanged`, and links that follow it are the same. Other members of nodes don't count. Removed nodes come first, then the changes
 * by node in the order of the second workflow. Equal workflows have no changes.
 *
 * @example
 * ```ts
 * import { diffWorkflows } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const isOnlyRenumbered = (before: Workflow, after: Workflow): boolean =>
 *   diffWorkflows(before, after).every(({ _tag }) => _tag === 'IdChanged');
 * ```
 */
export const diffWorkflows = (before: Workflow, after: Workflow): readonly WorkflowChange[] => {
  const formerIds = pairNodes(before, after);
  const paired = new Set(formerIds.values());
  const newIds = new Map([...formerIds].map(([id, former]) => [former, id]));
  const removed = Object.entries(before)
    .filter(([id]) => !paired.has(id))
    .map(([nodeId, node]): WorkflowChange => ({ _tag: 'NodeRemoved', nodeId, node }));
  const others = Object.entries(after).flatMap(([nodeId, node]): readonly WorkflowChange[] => {
    const from = formerIds.get(nodeId);
    const former = from === undefined ? undefined : before[from];
    if (from === undefined || former === undefined) return [{ _tag: 'NodeAdded', nodeId, node }];
    return [
      ...(from === nodeId ? [] : [{ _tag: 'IdChanged' as const, nodeId, from }]),
      ...changed('ClassChanged', nodeId, former.class_type, node.class_type),
      ...changed('TitleChanged', nodeId, former._meta?.title, node._meta?.title),
      ...changedInputs(nodeId, former, node, (one, other) => isSameInput(before, after, newIds, one, other)),
    ];
  });
  return [...removed, ...others];
};

const changed = (
  _tag: 'ClassChanged' | 'TitleChanged',
  nodeId: string,
  from: string | undefined,
  to: string | undefined,
): readonly WorkflowChange[] => (from === to ? [] : [{ _tag, nodeId, from, to }]);

const changedInputs = (
  nodeId: string,
  { inputs: former }: WorkflowNode,
  { inputs }: WorkflowNode,
  isSame: (one: unknown, other: unknown) => boolean,
): readonly WorkflowChange[] =>
  [...new Set([...Object.keys(former), ...Object.keys(inputs)])].flatMap((input) => {
    const had = Object.hasOwn(former, input);
    const has = Object.hasOwn(inputs, input);
    if (had && has && isSame(former[input], inputs[input])) return [];
    return [
      {
        _tag: 'InputChanged',
        nodeId,
        input,
        ...(had && { from: former[input] }),
        ...(has && { to: inputs[input] }),
      },
    ];
  });

/** Links are the same where they lead to the same output, also where its node has another id. */
const isSameInput = (
  before: Workflow,
  after: Workflow,
  newIds: ReadonlyMap<string, string>,
  one: unknown,
  other: unknown,
): boolean => {
  const link = linkOf(before, one);
  const otherLink = linkOf(after, other);
  if (link === undefined || otherLink === undefined) return link === otherLink && sameValue(one, other);
  return newIds.get(link.nodeId) === otherLink.nodeId && link.slot === otherLink.slot;
};
