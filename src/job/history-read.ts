import type { History } from '../protocol/answers/history.js';
import type { JobEvent } from '../protocol/state/job-event.js';

/** Turns a record of history into the event that the fold takes. */
export const historyRead = ({
  promptId,
  outputs,
  phase,
  failure,
  isFinal,
  startedAt,
  endedAt,
}: History): Extract<JobEvent, { _tag: 'HistoryRead' }> => ({
  _tag: 'HistoryRead',
  promptId,
  outputs,
  phase,
  failure,
  isFinal,
  startedAt,
  endedAt,
});
