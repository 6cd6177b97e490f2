import type { JobState } from './job-state.js';

/** Whether a job failed for want of memory on its server, so that one with more may run it. */
export const ranOutOfMemory = ({ phase, failure }: Pick<JobState, 'phase' | 'failure'>): boolean =>
  phase === 'failed' && /OutOfMemory/u.test(failure?.exceptionType ?? '');
