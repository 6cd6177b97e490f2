// What a client of API v2 loads with its first call; a page with another dialect loads none of it.
export { askStatus, cancelJobs, interruptJob, readDetail, readJobLogs, readRecord } from './job-calls.js';
export { besideV2 } from './v1-routes.js';
export { explained } from './explained.js';
export { jobStreams } from './job-streams.js';
export { uploadAsset } from '../../../core/http/assets/upload-asset.js';
export { signedUrl, viewFile } from './files.js';
export { streamRequest } from './stream-request.js';
