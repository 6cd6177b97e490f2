import { addJobs } from './add-jobs.js';
import { copyJson } from '../../../core/protocol/json/copy-json.js';
import { isWrittenOnce } from '../../../core/protocol/json/write-once.js';
import type { JobQueue, NewQueueJob } from './job-queue.js';
import type { OpenQueue } from './open-queue.js';

/** The calls that add jobs, each as it is when the call is made: the program may change its objects while the queue connects. */
export const addCalls = (open: () => Promise<OpenQueue>, queue: string): Pick<JobQueue, 'add' | 'addAll'> => {
  const addAll: JobQueue['addAll'] = async (jobs) => {
    const taken = jobs.map(takenJob);
    return addJobs(await open(), queue, taken);
  };
  return {
    addAll,
    add: async (workflow, more) => {
      const [id = ''] = await addAll([{ ...more, workflow }]);
      return id;
    },
  };
};

const takenJob = (job: NewQueueJob): NewQueueJob => ({
  ...job,
  workflow: taken(job.workflow),
  ...(job.extraData !== undefined && { extraData: taken(job.extraData) }),
});

/** What is no plain JSON is checked as it is. */
const taken = <A extends object>(value: A): A =>
  isWrittenOnce(value) ? value : ((copyJson(value) as A | undefined) ?? value);
