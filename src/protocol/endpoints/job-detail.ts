import type { Endpoint } from './endpoint.js';
import type { JobDetail } from '../answers/job-detail.js';
import { readJobDetail } from '../answers/read-job-detail.js';

/** `GET /api/jobs/{id}`, which not every service has (docs/protocol.md, chapters 2 and 11). */
export const jobDetailEndpoint = (promptId: string): Endpoint<JobDetail> => ({
  method: 'GET',
  path: `/api/jobs/${encodeURIComponent(promptId)}`,
  repeat: 'always',
  promptId,
  read: (json) => readJobDetail(json, promptId),
});
