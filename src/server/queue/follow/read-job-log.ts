import { applyQueueEvent, type QueueJobState } from './queue-state.js';
import type { EventLog } from '../../joblog/event-log.js';
import type { QueueKind } from '../store/queue-kind.js';
import { replay } from '../../joblog/replay.js';

/** Reads what the log says of a job: the state that its events lead to, and none where there is no event. */
export const readJobLog = async (
  log: Pick<EventLog, 'read'>,
  tenant: string,
  jobId: string,
  kind?: QueueKind,
): Promise<QueueJobState | undefined> => {
  const applied = applyQueueEvent(kind);
  const { events } = await replay(log, { owner: tenant, jobId });
  return events.reduce<QueueJobState | undefined>((state, { event }) => applied(state, event), undefined);
};
