import { copyJson } from '../../../core/protocol/json/copy-json.js';
import { isWrittenOnce } from '../../../core/protocol/json/write-once.js';
import type { NewQueueJob } from './job-queue.js';

/** A job as it was when the program added it, since that may change its objects while the queue connects. */
export const takenJob = (job: NewQueueJob): NewQueueJob => ({
  ...job,
  workflow: taken(job.workflow),
  ...(job.extraData !== undefined && { extraData: taken(job.extraData) }),
});

/** What is no plain JSON is checked as it is. */
const taken = <A extends object>(value: A): A =>
  isWrittenOnce(value) ? value : ((copyJson(value) as A | undefined) ?? value);
