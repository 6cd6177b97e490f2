import { editHistory } from './routes/edit-history.js';
import { editQueue } from './routes/edit-queue.js';
import { features } from './routes/features.js';
import { free } from './routes/free.js';
import { historyOf } from './routes/history-of.js';
import { interrupt } from './routes/interrupt.js';
import { listHistory } from './routes/list-history.js';
import { listQueue } from './routes/list-queue.js';
import { modelFolders } from './routes/model-folders.js';
import { models } from './routes/models.js';
import { nothing } from './routes/nothing.js';
import { objectInfo } from './routes/object-info.js';
import { queueLength } from './routes/queue-length.js';
import { submitPrompt } from './routes/submit-prompt.js';
import { systemStats } from './routes/system-stats.js';
import { uploadImage } from './routes/upload-image.js';
import { uploadMask } from './routes/upload-mask.js';
import { view } from './routes/view.js';
import type { LocalHandler } from './local-service.js';

/** One line of the local route table; `{…}` in a path stands for one part of it. */
export interface LocalRoute {
  readonly method: 'GET' | 'POST' | 'HEAD';
  readonly path: string;
  readonly handle: LocalHandler;
}

/** The local server's endpoints; each of them exists under `/api` as well. */
export const localRoutes: readonly LocalRoute[] = [
  { method: 'POST', path: '/prompt', handle: submitPrompt },
  { method: 'GET', path: '/prompt', handle: queueLength },
  { method: 'GET', path: '/queue', handle: listQueue },
  { method: 'POST', path: '/queue', handle: editQueue },
  { method: 'POST', path: '/interrupt', handle: interrupt },
  { method: 'GET', path: '/history', handle: listHistory },
  { method: 'POST', path: '/history', handle: editHistory },
  { method: 'GET', path: '/history/{id}', handle: historyOf },
  { method: 'GET', path: '/view', handle: view },
  { method: 'HEAD', path: '/view', handle: view },
  { method: 'POST', path: '/upload/image', handle: uploadImage },
  { method: 'POST', path: '/upload/mask', handle: uploadMask },
  { method: 'GET', path: '/object_info', handle: objectInfo },
  { method: 'GET', path: '/object_info/{class}', handle: objectInfo },
  { method: 'GET', path: '/system_stats', handle: systemStats },
  { method: 'GET', path: '/features', handle: features },
  { method: 'GET', path: '/models', handle: modelFolders },
  { method: 'GET', path: '/models/{folder}', handle: models },
  { method: 'GET', path: '/embeddings', handle: nothing },
  { method: 'GET', path: '/extensions', handle: nothing },
  { method: 'POST', path: '/free', handle: free },
];
