import { elementsOf, hidesDescriptor, outputShape, type UnreadReason } from './output-shapes.js';
import { writeExactJson } from '../protocol/json/exact-json.js';
import type { NodeOutputs, Outputs } from './outputs.js';

/** Something that a node told and that can be neither fetched nor shown. */
export interface UnreadOutput {
  /** The node that told it. */
  readonly nodeId: string;
  /** Its key in the node's outputs; empty if the node's outputs were no object. */
  readonly key: string;
  /** What keeps it from being read. */
  readonly reason: UnreadReason;
  /** It as JSON, cut at 200 characters. */
  readonly sample: string;
}

/**
 * Lists what nodes told in a shape that can't be read: descriptors without a name or out of a list, and paths that lead out of the
 * service's folders (docs/protocol.md, 8.19). Numbers, flags and other data are no such thing.
 *
 * @example
 * ```ts
 * import { unreadOutputs, type HistoryRecord } from 'promptwire';
 *
 * const unread = ({ outputs }: HistoryRecord): readonly string[] => unreadOutputs(outputs).map(({ sample }) => sample);
 * ```
 */
export const unreadOutputs = (outputs: Outputs): readonly UnreadOutput[] =>
  Object.entries(outputs).flatMap(([nodeId, node]) => unreadOfNode(nodeId, node));

/** As {@link unreadOutputs}, of outputs that grew: `known` is what was unread of those `before`, and it where nothing is new. */
export const unreadSince = (
  known: readonly UnreadOutput[] | undefined,
  before: Outputs,
  outputs: Outputs,
): readonly UnreadOutput[] | undefined => {
  const changed = Object.keys(outputs).filter((nodeId) => outputs[nodeId] !== before[nodeId]);
  const found = changed.flatMap((nodeId) => unreadOfNode(nodeId, outputs[nodeId] ?? {}));
  if (known === undefined && found.length === 0) return undefined;
  const kept = (known ?? []).filter(({ nodeId }) => !changed.includes(nodeId));
  return found.length === 0 && kept.length === known?.length ? known : [...kept, ...found];
};

const unreadOfNode = (nodeId: string, node: NodeOutputs): readonly UnreadOutput[] =>
  Object.entries(node).flatMap(([key, value]) => {
    const found = (reason: UnreadReason, told: unknown): UnreadOutput => ({
      nodeId,
      key,
      reason,
      sample: writeExactJson(told).slice(0, 200),
    });
    if (hidesDescriptor(value)) return [found('no list element', value)];
    if (key === '' && !Array.isArray(value)) return [found('no key', value)];
    return elementsOf(key, value).flatMap((element) => {
      const shape = outputShape(element, key);
      return shape?.is === 'unread' ? [found(shape.reason, element)] : [];
    });
  });
