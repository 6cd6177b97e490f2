import { accountAndSocketCases } from './cases/account-and-socket.js';
import { addressCases } from './cases/addresses.js';
import { binaryFrameCases } from './cases/binary-frames.js';
import { errorCases } from './cases/errors.js';
import { failureCases } from './cases/failures.js';
import { jobsApiCases } from './cases/jobs-api.js';
import { jobEventCases } from './cases/job-events.js';
import { nodeEventCases } from './cases/node-events.js';
import { objectInfoCases } from './cases/object-info.js';
import { outputCases } from './cases/outputs.js';
import { queueCases } from './cases/queue.js';
import { recordCases } from './cases/records.js';
import { stateAndTierCases } from './cases/states-and-tiers.js';
import { submissionCases } from './cases/submissions.js';
import { uploadCases } from './cases/uploads.js';
import { validationCases } from './cases/validation.js';
import { viewCases } from './cases/views.js';
import type { ConformanceCase } from './conformance-case.js';

/** Every case, in the order of the document's chapters. */
export const allCases: readonly ConformanceCase[] = [
  ...addressCases,
  ...objectInfoCases,
  ...uploadCases,
  ...submissionCases,
  ...recordCases,
  ...viewCases,
  ...queueCases,
  ...accountAndSocketCases,
  ...jobsApiCases,
  ...errorCases,
  ...stateAndTierCases,
  ...jobEventCases,
  ...nodeEventCases,
  ...failureCases,
  ...binaryFrameCases,
  ...outputCases,
  ...validationCases,
];
