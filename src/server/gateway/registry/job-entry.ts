import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import type { GatewayJob, GatewayPreview } from '../model/gateway-jobs.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobRecord } from '../../joblog/job-index.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { LifecycleEvent } from '../../../core/events/job-log-event.js';
import type { LoggedEvent } from '../../joblog/event-log.js';

/** One job in the registry: its published state is the one that readers may know. */
export interface JobEntry extends GatewayJob {
  readonly record: JobRecord;
  readonly state: JobState;
  /** The position of its last event that is published. */
  readonly position?: string;
  /** Grows with each published progress; no other job has the same. */
  readonly progressVersion: number;
  /** When the state was published, in milliseconds since 1970. */
  readonly publishedAt: number;
  /** The newest preview of each node while the job runs. */
  readonly previews: ReadonlyMap<string, GatewayPreview>;
}

/** Makes the entry of a job at its first state. */
export const newEntry = (record: JobRecord, state: JobState): JobEntry => ({
  record,
  state,
  progressVersion: 0,
  publishedAt: record.createdAt,
  previews: new Map(),
});

/** Makes the entry of a job from its events. */
export const entryOf = (record: JobRecord, events: readonly LoggedEvent[]): JobEntry => {
  const { workflow, promptId, ended } = record;
  const first = initialJobState({ workflow, promptId, phase: ended?.phase });
  const state = events.map(({ event }) => event).reduce(applyJobEvent, first);
  // The log may have kept the service's id, or the request to cancel, where the index could not.
  const wish = events.find(({ event }) => event.type === 'cancelRequested')?.event;
  const known =
    state.promptId === '' && wish === undefined
      ? record
      : {
          ...(state.promptId !== '' && { promptId: state.promptId }),
          ...(wish !== undefined && { cancelRequestedAt: wish.at }),
          ...record,
        };
  const position = events.at(-1)?.id;
  return {
    ...events.reduce((entry, { event }) => withTimes(entry, event), newEntry(known, state)),
    ...(position !== undefined && { position }),
  };
};

/** Takes the times of start and end from an event: the service's own, or else when the gateway heard of them. */
export const withTimes = (entry: JobEntry, event: LifecycleEvent): JobEntry => {
  const status =
    event.type === 'status' ? event.status : event.type === 'submitted' ? event.state : undefined;
  if (status === undefined) return entry;
  const { phase } = status;
  const startedAt = status.startedAt ?? entry.startedAt ?? (phase === 'in_progress' ? event.at : undefined);
  const endedAt = status.endedAt ?? entry.endedAt ?? (isTerminal(phase) ? event.at : undefined);
  return {
    ...entry,
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
  };
};
