import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { type JobEntry, withTimes } from './job-entry.js';
import type { JobRecord } from '../../joblog/job-index.js';
import type { JobState, TerminalPhase } from '../../../core/state/job-state.js';
import type { JobProgress, LifecycleEvent } from '../../../core/events/job-log-event.js';
import type { LoggedEvent } from '../../joblog/event-log.js';

/** The entry once events of this process are in the log, up to `position`; without a position they are not in the log. */
export const withStored = (
  entry: JobEntry,
  events: readonly LifecycleEvent[],
  position: string | undefined,
): JobEntry => ({
  ...events.reduce(withTimes, entry),
  ...(position !== undefined && { position }),
});

/** The entry with a state that readers may know from now on. */
export const withPublished = (
  entry: JobEntry,
  state: JobState,
  progressVersion: number,
  publishedAt: number,
): JobEntry => ({
  ...{ ...entry, state, progressVersion, publishedAt },
  previews: isTerminal(state.phase) ? new Map() : entry.previews,
});

/** The entry of a job that this process follows, with an event which another one stored: this one knows more of its state. */
export const withOthersEvent = (entry: JobEntry, { id, event }: LoggedEvent): JobEntry => {
  const next = { ...withTimes(entry, event), position: id };
  return event.type === 'cancelRequested'
    ? { ...next, record: { cancelRequestedAt: event.at, ...next.record } }
    : next;
};

/** The entry of a job whose events others store, with the next one; what ended stays as it is, but for `unknown`, which a person may take back. */
export const withFollowedEvent = (entry: JobEntry, logged: LoggedEvent, retentionMs: number): JobEntry => {
  const next = withOthersEvent(entry, logged);
  const { event } = logged;
  const { phase: known } = entry.state;
  if (event.type === 'cancelRequested' || (isTerminal(known) && known !== 'unknown')) return next;
  const state = applyJobEvent(entry.state, event);
  const { phase, promptId } = state;
  return {
    ...next,
    state,
    record: {
      ...(promptId !== '' && { promptId }),
      ...next.record,
      ...(isTerminal(phase) && endOf(phase, event.at, retentionMs)),
    },
  };
};

/** The state of a job with progress that others publish; undefined if the job has ended. */
export const withProgress = (entry: JobEntry, progress: JobProgress, at: number): JobState | undefined =>
  isTerminal(entry.state.phase) ? undefined : applyJobEvent(entry.state, { type: 'progress', at, progress });

/** What the record of a job says of its end. */
export const endOf = (
  phase: TerminalPhase,
  at: number,
  retentionMs: number,
): Pick<JobRecord, 'expiresAt'> & Required<Pick<JobRecord, 'ended'>> => ({
  ended: { phase, at },
  expiresAt: at + retentionMs,
});
