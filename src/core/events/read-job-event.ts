import type { JobLogEvent, JobProgress, JobStatusMembers } from './job-log-event.js';
import type { JobState } from '../state/job-state.js';
import { withoutPrototype } from '../state/outputs.js';

/**
 * Restores a state from its JSON form, which is the state itself as `JSON.stringify` writes it.
 *
 * Nodes, outputs and node errors get back their form without a prototype. It trusts the text: it is for what the gateway wrote.
 */
export const readJobState = (json: JobState): JobState => ({
  ...json,
  nodes: withoutPrototype(json.nodes),
  outputs: withoutPrototype(json.outputs),
  nodeErrors: withoutPrototype(json.nodeErrors),
});

/** Restores an event from its JSON form, as {@link readJobState} does a state. */
export const readJobEvent = <Event extends JobLogEvent>(json: Event): Event => {
  const event: JobLogEvent = json;
  switch (event.type) {
    case 'submitted':
      return { ...json, state: readJobState(event.state) };
    case 'status':
      return {
        ...json,
        status: readStatus(event.status),
        ...(event.progress && { progress: readProgress(event.progress) }),
      };
    case 'progress':
      return { ...json, progress: readProgress(event.progress) };
    default:
      return json;
  }
};

const readStatus = (status: JobStatusMembers): JobStatusMembers => ({
  ...status,
  nodeErrors: withoutPrototype(status.nodeErrors),
});

const readProgress = (progress: JobProgress): JobProgress => ({
  ...progress,
  nodes: withoutPrototype(progress.nodes),
});
