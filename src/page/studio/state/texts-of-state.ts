import type { JobState } from '../../../index.js';

/** A text of a node. */
export interface ToldText {
  readonly nodeId: string;
  readonly text: string;
}

/** The texts that the outputs of a job hold, and what its running nodes say. */
export const textsOfState = ({
  outputs,
  nodes,
}: Pick<JobState, 'outputs' | 'nodes'>): readonly ToldText[] => [
  ...Object.entries(outputs).flatMap(([nodeId, { text }]) =>
    (Array.isArray(text) ? text.flat() : [text])
      .filter((one) => typeof one === 'string' && one !== '')
      .map((one) => ({ nodeId, text: String(one) })),
  ),
  ...Object.values(nodes).flatMap(({ nodeId, phase, text }) =>
    phase === 'running' && text !== undefined ? [{ nodeId, text }] : [],
  ),
];
