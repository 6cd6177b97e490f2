import type { JobQueue } from './job-queue.js';
import type { OpenQueue } from './open-queue.js';
import type { QueueRecord } from '../store/job-store.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { uuid } from '../../../core/platform/uuid.js';

/** Carries out a decision on a job that is unknown: it is submitted again, forgotten, or is a job that the service has. */
export const resolveJob = async (
  { queueStore, slotTokens, store }: Pick<OpenQueue, 'queueStore' | 'slotTokens' | 'store'>,
  { id, phase, intent }: QueueRecord,
  decision: Parameters<JobQueue['resolve']>[1],
): Promise<void> => {
  if (phase !== 'unknown') {
    const message = `The job ${id} is ${phase}, not unknown.`;
    throw serviceError('InvalidConfig', { option: 'id', message });
  }
  if (typeof decision === 'string') await queueStore.resolve(id, decision);
  else {
    const kept = await store.answered(id, intent?.submissionId ?? '', decision.promptId);
    if (kept === undefined) {
      const message = `The job ${decision.promptId} of the service belongs to another job of the queue.`;
      throw serviceError('InvalidConfig', { option: 'promptId', message });
    }
  }
  if (decision !== 'forget') await slotTokens.add(uuid());
};
