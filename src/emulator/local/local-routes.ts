import type { EngineFacts } from './engine-facts.js';
import type { LocalHandler } from './local-service.js';
import { plain } from './local-http.js';
import { editHistory, historyOf, listHistory } from './routes/history.js';
import { folderFiles, folderPaths, logText, rawLogs, subscribeLogs } from './routes/internal.js';
import {
  addUser,
  nothingOfPackages,
  setting,
  listSettings,
  storeSetting,
  storeSettings,
  users,
} from './routes/editor.js';
import { cancelJob, cancelJobs, jobOf, listJobs } from './routes/jobs.js';
import { editQueue, free, interrupt, listQueue, queueLength } from './routes/queue.js';
import {
  features,
  modelFolders,
  models,
  nothing,
  objectInfo,
  replacements,
  systemStats,
} from './routes/system.js';
import { submitPrompt } from './routes/submit-prompt.js';
import { uploadImage, uploadMask } from './routes/upload.js';
import {
  deleteUserdata,
  listUserdata,
  moveUserdata,
  readUserdata,
  writeUserdata,
} from './routes/userdata.js';
import { view } from './routes/view.js';

/** One route; `{…}` in its path matches one segment. */
export interface LocalRoute {
  readonly method: 'GET' | 'POST' | 'HEAD' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly handle: LocalHandler;
}

/** The local server's endpoints; each of them exists under `/api` as well, but those of `/internal`. */
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
  { method: 'GET', path: '/node_replacements', handle: replacements },
  { method: 'GET', path: '/models', handle: modelFolders },
  { method: 'GET', path: '/models/{folder}', handle: models },
  { method: 'GET', path: '/embeddings', handle: nothing },
  { method: 'GET', path: '/extensions', handle: nothing },
  { method: 'POST', path: '/free', handle: free },
  { method: 'GET', path: '/users', handle: users },
  { method: 'POST', path: '/users', handle: addUser },
  { method: 'GET', path: '/settings', handle: listSettings },
  { method: 'POST', path: '/settings', handle: storeSettings },
  { method: 'GET', path: '/settings/{id}', handle: setting },
  { method: 'POST', path: '/settings/{id}', handle: storeSetting },
  { method: 'GET', path: '/userdata', handle: listUserdata },
  { method: 'GET', path: '/userdata/{file}', handle: readUserdata },
  { method: 'POST', path: '/userdata/{file}', handle: writeUserdata },
  { method: 'DELETE', path: '/userdata/{file}', handle: deleteUserdata },
  { method: 'POST', path: '/userdata/{file}/move/{dest}', handle: moveUserdata },
  { method: 'GET', path: '/i18n', handle: nothingOfPackages },
  { method: 'GET', path: '/workflow_templates', handle: nothingOfPackages },
  { method: 'GET', path: '/internal/logs', handle: logText },
  { method: 'GET', path: '/internal/logs/raw', handle: rawLogs },
  { method: 'GET', path: '/internal/files/{type}', handle: folderFiles },
  { method: 'GET', path: '/internal/folder_paths', handle: folderPaths },
  { method: 'PATCH', path: '/internal/logs/subscribe', handle: subscribeLogs },
];

/** The jobs API, whose routes have their prefix already: with one more, like all of them, they exist as well. */
export const jobsRoutes = ({ jobsApi, jobsCancel }: EngineFacts): readonly LocalRoute[] => [
  ...(jobsApi
    ? ([
        { method: 'GET', path: '/api/jobs', handle: listJobs },
        { method: 'GET', path: '/api/jobs/{id}', handle: jobOf },
      ] as const)
    : []),
  // The route of static files takes any path, of GET only.
  { method: 'POST', path: '/api/jobs/cancel', handle: jobsCancel ? cancelJobs : otherMethod },
  { method: 'POST', path: '/api/jobs/{id}/cancel', handle: jobsCancel ? cancelJob : otherMethod },
];

/** The answer to a path that exists for another method. */
export const methodNotAllowed = plain(405, '405: Method Not Allowed');
const otherMethod: LocalHandler = () => methodNotAllowed;
