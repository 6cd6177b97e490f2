import { progressOf, statusOf } from './state-members.js';
import type { JobLogEvent, OutputEvent } from './job-log-event.js';
import type { JobState } from '../state/job-state.js';
import type { NodeOutputs, Outputs } from '../state/outputs.js';
import { withoutPrototype } from '../state/outputs.js';

/**
 * Takes an event of the gateway into the state of its job: pure, and the same for an event that comes twice in a row.
 *
 * Applied to the state of a snapshot, the events that follow give the job's current state.
 */
export const applyJobEvent = (state: JobState, event: JobLogEvent): JobState => {
  switch (event.type) {
    case 'submitted':
      return event.state;
    case 'status':
      return { ...event.status, ...(event.progress ?? progressOf(state)), outputs: state.outputs };
    case 'output':
      return { ...state, outputs: withOutput(state.outputs, event) };
    case 'progress':
      return { ...statusOf(state), ...event.progress, outputs: state.outputs };
    case 'cancelRequested':
      return state;
  }
};

const withOutput = (known: Outputs, { nodeId, outputs }: OutputEvent): Outputs => {
  const all: Record<string, NodeOutputs> = withoutPrototype(known);
  all[nodeId] = outputs;
  return all;
};
