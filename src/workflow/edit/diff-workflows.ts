import { differentInputs, type Paired } from './same-input.js';
import { pairNodes } from './pair-nodes.js';
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
      /** Before; undefined if there was none. */
      readonly from: string | undefined;
      /** Its value now; undefined if it has none. */
      readonly to: string | undefined;
    }
  | {
      /** An input has another value or another link, or came or went. */
      readonly _tag: 'InputChanged';
      /** The id of the node. */
      readonly nodeId: string;
      /** The name of the input. */
      readonly input: string;
      /** Before, as the first workflow has it; absent if it lacked the input. */
      readonly from?: unknown;
      /** Now, as the second workflow has it; absent if it lacks the input. */
      readonly to?: unknown;
    };

/**
 * Names the differences of two workflows in API format: nodes that came and went, and other ids, classes, titles and inputs.
 *
 * An editor numbers nodes anew when it pleases: a node whose id alone is another, since class, title and inputs are the same, is
 * `IdChanged`, and links that follow it are the same. Texts that were swapped between two nodes are two changed inputs. Other members of nodes don't count. Removed nodes come first, then the changes
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
      ...changedInputs({ before, after, newIds }, nodeId, former, node),
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
  paired: Paired,
  nodeId: string,
  former: WorkflowNode,
  node: WorkflowNode,
): readonly WorkflowChange[] =>
  differentInputs(paired, former, node).map((input) => ({
    _tag: 'InputChanged',
    nodeId,
    input,
    ...(Object.hasOwn(former.inputs, input) && { from: former.inputs[input] }),
    ...(Object.hasOwn(node.inputs, input) && { to: node.inputs[input] }),
  }));
