import type { Call } from '../interop/call.js';
import type { HttpConnection } from './connection.js';
import { type JobDetail, jobDetailEndpoint } from '../endpoints/job-detail.js';
import type { JobDetailOptions } from './rest-options.js';
import type { JobsApi } from './jobs-api.js';
import { noteAnswer } from './status-by-jobs-api.js';
import { request } from './request.js';

/** Reads a job from the jobs API, and notes whether the server has that. */
export const readJobDetail =
  (connection: HttpConnection, jobs: JobsApi) =>
  (promptId: string, options?: JobDetailOptions): Call<JobDetail> =>
  async () => {
    const answer = await request(connection)(jobDetailEndpoint(promptId, options), options)();
    noteAnswer(jobs, connection.dialect.jobsApi, answer);
    return answer;
  };
