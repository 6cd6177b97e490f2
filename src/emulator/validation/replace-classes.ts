import { asJsonObject, type JsonObject } from '../http/request.js';
import type { NodeClass } from '../engine/node-class.js';

/** What replaces a class. */
export interface NodeReplacement {
  readonly new_node_id: string;
  readonly old_node_id: string;
  readonly old_widget_ids: readonly string[] | null;
  readonly input_mapping:
    | readonly (
        | { readonly new_id: string; readonly old_id: string }
        | { readonly new_id: string; readonly set_value: unknown }
      )[]
    | null;
  readonly output_mapping: readonly { readonly new_idx: number; readonly old_idx: number }[] | null;
}

/** Some replacements of an engine, and one of the emulator, by their old class. */
export const nodeReplacements: Readonly<Record<string, readonly NodeReplacement[]>> = Object.fromEntries(
  [
    {
      ...{ old_node_id: 'ResizeImagesByLongerEdge', new_node_id: 'ImageScaleToMaxDimension' },
      old_widget_ids: ['longer_edge'],
      input_mapping: [
        { new_id: 'image', old_id: 'images' },
        { new_id: 'largest_size', old_id: 'longer_edge' },
        { new_id: 'upscale_method', set_value: 'lanczos' },
      ],
      output_mapping: [{ new_idx: 0, old_idx: 0 }],
    },
    {
      ...{ old_node_id: 'ImageBatch', new_node_id: 'BatchImagesNode', old_widget_ids: null },
      input_mapping: [
        { new_id: 'images.image0', old_id: 'image1' },
        { new_id: 'images.image1', old_id: 'image2' },
      ],
      output_mapping: null,
    },
    {
      ...{ old_node_id: 'Load3DAnimation', new_node_id: 'Load3D', old_widget_ids: null },
      ...{ input_mapping: null, output_mapping: null },
    },
    {
      ...{ old_node_id: 'T2IAdapterLoader', new_node_id: 'ControlNetLoader', old_widget_ids: null },
      ...{ input_mapping: null, output_mapping: null },
    },
    // The emulator's own: its new class is there, and none of its inputs is mapped.
    {
      ...{ old_node_id: 'DropInputsOnPurpose', new_node_id: 'SaveImage', old_widget_ids: null },
      ...{ input_mapping: null, output_mapping: null },
    },
  ].map((entry): [string, readonly NodeReplacement[]] => [entry.old_node_id, [entry]]),
);

/**
 * Replaces the classes that are unknown and have an entry, in the order of the nodes, as an engine does before it validates. The new node
 * has the mapped inputs only.
 *
 * Throws where an engine does, which answers 500 then: for an input that the entry takes and the node lacks, and for a link whose slot
 * is to move after its input got another name.
 */
export const replaceClasses = (
  prompt: JsonObject,
  nodeClasses: ReadonlyMap<string, NodeClass>,
): JsonObject => {
  const nodes = new Map(Object.entries(prompt));
  const old = [...nodes].flatMap(([nodeId, value]) => {
    const node = asJsonObject(value);
    const inputs = asJsonObject(node?.['inputs']);
    return node && inputs && 'class_type' in node ? [{ nodeId, node, inputs }] : [];
  });
  for (const { nodeId, node, inputs } of old) {
    const [entry] = ownEntry(node['class_type'], nodeClasses);
    if (entry === undefined) continue;
    nodes.set(nodeId, { ...node, class_type: entry.new_node_id, inputs: mappedInputs(entry, inputs) });
    for (const consumer of old)
      for (const [name, value] of Object.entries(consumer.inputs)) {
        const slot = linkedSlot(value, nodeId);
        for (const pair of slot === undefined ? [] : (entry.output_mapping ?? []))
          if (pair.old_idx === slot) moveSlot(nodes, consumer.nodeId, name, pair.new_idx);
      }
  }
  return Object.fromEntries(nodes);
};

const ownEntry = (
  className: unknown,
  nodeClasses: ReadonlyMap<string, NodeClass>,
): readonly NodeReplacement[] => {
  if (typeof className !== 'string' || nodeClasses.has(className)) return [];
  const [first] = Object.hasOwn(nodeReplacements, className) ? (nodeReplacements[className] ?? []) : [];
  return first !== undefined && nodeClasses.has(first.new_node_id) ? [first] : [];
};

const mappedInputs = ({ input_mapping: mapping }: NodeReplacement, inputs: JsonObject): JsonObject =>
  Object.fromEntries(
    (mapping ?? []).map((pair) => {
      if ('set_value' in pair) return [pair.new_id, pair.set_value];
      if (!Object.hasOwn(inputs, pair.old_id)) throw new KeyError(pair.old_id);
      return [pair.new_id, inputs[pair.old_id]];
    }),
  );

const linkedSlot = (value: unknown, nodeId: string): number | undefined =>
  Array.isArray(value) && value.length === 2 && value[0] === nodeId && typeof value[1] === 'number'
    ? value[1]
    : undefined;

const moveSlot = (nodes: Map<string, unknown>, consumer: string, name: string, slot: number): void => {
  const node = asJsonObject(nodes.get(consumer)) ?? {};
  const inputs = asJsonObject(node['inputs']) ?? {};
  const link = inputs[name];
  if (!Array.isArray(link)) throw new KeyError(name);
  nodes.set(consumer, { ...node, inputs: { ...inputs, [name]: [link[0], slot] } });
};

/** What Python raises for a key that is not there. */
class KeyError extends Error {
  override readonly name = 'KeyError';
}
