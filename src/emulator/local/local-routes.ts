import { editHistory, historyOf, listHistory } from './routes/history.js';
import { editQueue, free, interrupt, listQueue, queueLength } from './routes/queue.js';
import { features, modelFolders, models, nothing, objectInfo, systemStats } from './routes/system.js';
import type { LocalHandler } from './local-service.js';
import { submitPrompt } from './routes/submit-prompt.js';
import { uploadImage, uploadMask } from './routes/upload.js';
import { view } from './routes/view.js';

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
