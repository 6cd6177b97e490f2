import type { InterfaceRow } from '../options.js';
import { cancelJob } from '../routes/cancel-job.js';
import { editQueue } from '../routes/edit-queue.js';
import { features } from '../routes/features.js';
import { history } from '../routes/history.js';
import { interrupt } from '../routes/interrupt.js';
import { jobDetail } from '../routes/job-detail.js';
import { jobStatus } from '../routes/job-status.js';
import { listQueue } from '../routes/list-queue.js';
import { objectInfo } from '../routes/object-info.js';
import { queueLength } from '../routes/queue-length.js';
import { submitPrompt } from '../routes/submit-prompt.js';
import { systemStats } from '../routes/system-stats.js';
import { uploadImage } from '../routes/upload-image.js';
import { uploadMask } from '../routes/upload-mask.js';
import { user } from '../routes/user.js';
import { view } from '../routes/view.js';
import type { Handler } from './api-request.js';

/** One line of the route table; `{…}` in a path stands for one part of it. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly handle: Handler;
  /** The interface's row, for the endpoints that have one. */
  readonly row?: InterfaceRow;
}

/** The endpoints of the interface, then a few that newer deployments have as well. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/api/object_info', handle: objectInfo, row: 'endpoint:GET /api/object_info' },
  {
    method: 'GET',
    path: '/api/object_info/{class}',
    handle: objectInfo,
    row: 'endpoint:GET /api/object_info',
  },
  { method: 'POST', path: '/api/upload/image', handle: uploadImage, row: 'endpoint:POST /api/upload/image' },
  { method: 'POST', path: '/api/upload/mask', handle: uploadMask, row: 'endpoint:POST /api/upload/mask' },
  { method: 'POST', path: '/api/prompt', handle: submitPrompt, row: 'endpoint:POST /api/prompt' },
  {
    method: 'GET',
    path: '/api/job/{id}/status',
    handle: jobStatus,
    row: 'endpoint:GET /api/job/{id}/status',
  },
  { method: 'GET', path: '/api/history_v2/{id}', handle: history, row: 'endpoint:GET /api/history_v2/{id}' },
  { method: 'GET', path: '/api/view', handle: view, row: 'endpoint:GET /api/view' },
  { method: 'GET', path: '/api/queue', handle: listQueue, row: 'endpoint:GET /api/queue' },
  { method: 'POST', path: '/api/queue', handle: editQueue, row: 'endpoint:POST /api/queue' },
  { method: 'POST', path: '/api/interrupt', handle: interrupt, row: 'endpoint:POST /api/interrupt' },
  { method: 'GET', path: '/api/user', handle: user, row: 'endpoint:GET /api/user' },
  { method: 'GET', path: '/api/prompt', handle: queueLength },
  { method: 'GET', path: '/api/jobs/{id}', handle: jobDetail },
  { method: 'POST', path: '/api/jobs/{id}/cancel', handle: cancelJob },
  { method: 'GET', path: '/api/features', handle: features },
  { method: 'GET', path: '/api/system_stats', handle: systemStats },
];
