import type { Outputs } from '../../node.js';
import type { EndedJob } from './ended-job.js';

/** A text that a node put out. */
export interface OutputText {
  readonly nodeId: string;
  /** The node of the submitted workflow, where it differs. */
  readonly displayNodeId?: string;
  readonly text: string;
}

/** Lists the texts that outputs hold under `text`, in the order of the outputs; lists of texts in lists are taken as well. */
export const outputTexts = (outputs: Outputs, nodes: EndedJob['nodes']): readonly OutputText[] =>
  Object.entries(outputs).flatMap(([nodeId, { text }]) => {
    const displayNodeId = Object.hasOwn(nodes, nodeId) ? nodes[nodeId]?.displayNodeId : undefined;
    const place =
      displayNodeId === undefined || displayNodeId === nodeId ? { nodeId } : { nodeId, displayNodeId };
    return [text]
      .flat(2)
      .filter((element) => typeof element === 'string')
      .map((element) => ({ ...place, text: element }));
  });
