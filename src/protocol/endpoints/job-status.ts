import type { Endpoint } from './endpoint.js';
import type { JobStatus } from '../answers/job-status.js';
import { readJobStatus } from '../answers/read-job-status.js';

/** `GET /api/job/{id}/status` (docs/protocol.md, chapters 2 and 4). */
export const jobStatusEndpoint = (promptId: string): Endpoint<JobStatus> => ({
  method: 'GET',
  path: `/api/job/${encodeURIComponent(promptId)}/status`,
  repeat: 'always',
  promptId,
  read: (json) => readJobStatus(json, promptId),
});
