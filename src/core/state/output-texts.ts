import { elementsOf, joinedText, outputShape } from './output-shapes.js';
import type { OutputFilesOptions } from './output-files.js';
import type { Outputs } from './outputs.js';

/** A text output of a node. */
export interface OutputText {
  /** The node that made it. */
  readonly nodeId: string;
  /** Its key in the node's outputs, where that is not `text`. */
  readonly key?: string;
  /** The node of the submitted workflow to show it at, where it differs. */
  readonly displayNodeId?: string;
  /** The text. */
  readonly text: string;
}

/**
 * Lists the texts that outputs hold under any key, nested lists included, in the order of the outputs, without texts that name files
 * (docs/protocol.md, 8.18). A text that arrives as the list of its characters is one text.
 *
 * @example
 * ```ts
 * import { outputTexts, type JobState } from 'promptwire';
 *
 * const captions = (state: JobState) => outputTexts(state.outputs, state).map(({ text }) => text);
 * ```
 */
export const outputTexts = (
  outputs: Outputs,
  { nodes = {} }: OutputFilesOptions = {},
): readonly OutputText[] =>
  Object.entries(outputs).flatMap(([nodeId, node]) => {
    const displayNodeId = Object.hasOwn(nodes, nodeId) ? nodes[nodeId]?.displayNodeId : undefined;
    const place =
      displayNodeId === undefined || displayNodeId === nodeId ? { nodeId } : { nodeId, displayNodeId };
    return Object.entries(node).flatMap(([key, value]) =>
      textsOf(key, value).map((text) => ({ ...place, ...(key !== 'text' && { key }), text })),
    );
  });

const textsOf = (key: string, value: unknown): readonly string[] => {
  const texts = elementsOf(key, value).flatMap((element) => {
    if (Array.isArray(element)) return element.filter((inner) => typeof inner === 'string');
    const shape = outputShape(element, key);
    return shape?.is === 'text' ? [shape.text] : [];
  });
  const spelled = joinedText(texts);
  return spelled === undefined ? texts : [spelled];
};
