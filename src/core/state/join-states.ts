import { isTerminal } from './job-state.js';
import type { JobPhase, JobState } from './job-state.js';
import { joinSocketImages } from './socket-images.js';
import { mergeOutputs } from './merge-outputs.js';
import { withoutPrototype } from './outputs.js';

/**
 * Joins what was known of a job with a newer state from a client that may have begun to follow it only now, and so knows less.
 *
 * Outputs are united, phase and progress never go back, and what the newer state lacks stays as it was. Returns `next` itself where
 * it comes of the same client.
 */
export const joinStates = (known: JobState, next: JobState): JobState => {
  const outputs = next.outputs === known.outputs ? next.outputs : mergeOutputs(next.outputs, known.outputs);
  const socketImages = joinSocketImages(known.socketImages, next.socketImages);
  const isBehind = rank(next.phase) < rank(known.phase);
  const lacksNodes = Object.keys(known.nodes).some((nodeId) => !(nodeId in next.nodes));
  const hasAllOutputs = outputs === next.outputs && socketImages === next.socketImages;
  if (hasAllOutputs && !isBehind && !lacksNodes && tellsAsMuch(known, next)) return next;
  const nodes = lacksNodes ? { ...withoutPrototype(known.nodes), ...next.nodes } : next.nodes;
  return {
    ...known,
    ...next,
    ...(isBehind && { phase: known.phase }),
    nodes: lacksNodes ? withoutPrototype(nodes) : nodes,
    progress: Math.max(known.progress, next.progress),
    outputs,
    ...(socketImages !== undefined && { socketImages }),
    nodeErrors: Object.keys(next.nodeErrors).length > 0 ? next.nodeErrors : known.nodeErrors,
    warnings: [...new Set([...known.warnings, ...next.warnings])],
  };
};

/** Whether a state has all else that another one says of its job. */
const tellsAsMuch = (known: JobState, next: JobState): boolean =>
  next.progress >= known.progress &&
  next.nodeCount !== undefined &&
  (next.problems !== undefined || known.problems === undefined) &&
  known.warnings.every((warning) => next.warnings.includes(warning));

const rank = (phase: JobPhase): number =>
  isTerminal(phase) ? 3 : ['submitting', 'pending', 'in_progress'].indexOf(phase);
