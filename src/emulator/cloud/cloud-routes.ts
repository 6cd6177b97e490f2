import { cancelJob, editQueue, interrupt, listQueue, queueLength } from './routes/queue.js';
import { features, objectInfo, systemStats, user } from './routes/system.js';
import type { Handler } from '../http/api-request.js';
import { history, jobDetail, jobStatus } from './routes/jobs.js';
import type { InterfaceRow } from '../options.js';
import { submitPrompt } from './routes/submit-prompt.js';
import { uploadImage, uploadMask } from './routes/upload.js';
import { view } from './routes/view.js';

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
