import type { LocalJob } from './local-job.js';

/** `[number, id, workflow, extra_data, output ids]`, as the queue lists a job. */
export const queueTuple = (job: LocalJob): readonly unknown[] => [
  job.shownNumber,
  job.id,
  job.prompt,
  job.extraData,
  job.targets,
];
