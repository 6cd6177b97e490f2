import type { Answer } from '../http/answer.js';
import type { Backend } from '../backend.js';
import { BodyTooLarge, requestParts } from '../http/request.js';
import { createFreeing } from './freeing.js';
import { createFileStore } from '../store/file-store.js';
import { createIds } from '../ids.js';
import { createJobAnswers } from '../faults/job-answers.js';
import { pythonJson } from './python.js';
import { createLocalHub } from './local-hub.js';
import { createLocalLog } from './local-log.js';
import { createLocalQueue } from './local-queue.js';
import { createPace } from '../pace.js';
import { createResultCache } from '../scheduler/result-cache.js';
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
import { cancelJob, cancelJobs, jobNotFound, jobOf, listJobs } from './routes/jobs.js';
import type { EngineFacts } from './engine-facts.js';
import { editQueue, free, interrupt, listQueue, queueLength } from './routes/queue.js';
import { empty, internalServerError, localJson, plain, tooLarge } from './local-http.js';
import type { FaultInjector } from '../faults/fault-injector.js';
import {
  features,
  modelFolders,
  models,
  nothing,
  objectInfo,
  replacements,
  systemStats,
} from './routes/system.js';
import type { IncomingMessage } from 'node:http';
import { isAllowedOrigin, isAllowedRequest } from '../http/cross-origin.js';
import type { Job } from '../scheduler/job.js';
import type { LocalHandler, LocalService } from './local-service.js';
import { restoreLocal, saveLocal } from './local-state.js';
import { matchRoute } from '../http/match-route.js';
import type { NodeClass } from '../engine/node-class.js';
import { nodeClasses } from '../engine/node-classes.js';
import { cycleOnPurpose, expandOnPurpose, lazySwitch, oddNumbers, silentOutput } from './local-nodes.js';
import type { Settings } from '../settings.js';
import { statusEvent } from '../messages.js';
import { submissionNumbers } from './submission-numbers.js';
import { submitPrompt } from './routes/submit-prompt.js';
import { uploadImage, uploadMask } from './routes/upload.js';
import {
  deleteUserdata,
  listUserdata,
  moveUserdata,
  readUserdata,
  writeUserdata,
} from './routes/userdata.js';
import type { UserFile } from './user-file.js';
import { view } from './routes/view.js';

/** One route; `{…}` in its path matches one segment. */
export interface LocalRoute {
  readonly method: 'GET' | 'POST' | 'HEAD' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly handle: LocalHandler;
}

/** The local server's endpoints; each of them exists under `/api` as well, but those of `/internal`. */
const localRoutes: readonly LocalRoute[] = [
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
const jobsRoutes = ({ jobsApi, jobsCancel }: EngineFacts): readonly LocalRoute[] => [
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

const methodNotAllowed = plain(405, '405: Method Not Allowed');
const otherMethod: LocalHandler = () => methodNotAllowed;

/** One engine on the user's machine: no keys, one job at a time, events for the client that submitted. */
export const createLocalBackend = (settings: Settings, faults: FaultInjector): Backend => {
  const service = createLocalService(settings, faults);
  const notFound = notFoundOf(settings.facts);
  const apiKey = `comfyui-${createIds(settings.seed).hex(64)}`;
  return {
    // The server ignores it; the recorded requests show a client that sends it.
    apiKey,
    acceptsKey: (key) => key === apiKey,
    setBilling: () => undefined,
    answer: async (request, url, keepBody) =>
      named(
        service.jobAnswers(
          request.method ?? '',
          url,
          await answer(service, request, url, keepBody),
          notFound,
        ),
      ),
    notFound,
    jobs: () => faults.jobs.jobs((job) => isGone(service, job)),
    acceptSocket: (request, url) => admit(service, request, url),
    serveFile: () => empty(404),
    save: () => saveLocal(service),
    restore: (state) => restoreLocal(service, state),
    stop: service.queue.stop,
  };
};

/** Every answer names its server. */
const named = (answered: Answer): Answer => ({
  ...answered,
  headers: { server: 'Python/3.11 aiohttp/3.11.16', ...answered.headers },
});

const notFoundOf =
  ({ jobsApi }: EngineFacts): Backend['notFound'] =>
  ({ pathname }) => {
    if (withoutPrefix(pathname).startsWith('/history/')) return localJson({});
    return jobsApi && pathname.startsWith('/api/jobs/') ? jobNotFound : noRoute;
  };

const noRoute = plain(404, '404: Not Found');

const createLocalService = (settings: Settings, faults: FaultInjector): LocalService => {
  const { clock } = settings;
  const classes = localNodeClasses();
  const files = createFileStore(settings.switches);
  const hub = createLocalHub(settings, faults.createEventInterceptor());
  const log = createLocalLog(hub, clock);
  const cache = createResultCache();
  const freeing = createFreeing(cache);
  const queue = createLocalQueue({
    settings,
    clock,
    hub,
    files,
    log,
    onAccepted: faults.onAccepted,
    losesWorker: faults.losesWorker,
    nodeClasses: classes,
    cache,
    afterJob: freeing.act,
    pace: createPace(clock, settings.speed),
  });
  const ids = createIds(settings.seed);
  const startedAt = clock.now();
  const jobAnswers = createJobAnswers(faults, clock, pythonJson);
  const editorSettings = new Map<string, unknown>();
  const userNames = new Set<string>();
  const userdata = new Map<string, UserFile>();
  const state = {
    userNames,
    userdata,
    settings,
    clock,
    files,
    hub,
    queue,
    ids,
    faults,
    jobAnswers,
    log,
    freeing,
    editorSettings,
  };
  return { ...state, nodeClasses: classes, startedAt, numbers: submissionNumbers() };
};

/** A job that is neither in the queue nor in history was deleted. */
const isGone = ({ queue }: LocalService, job: Job): boolean =>
  ![...queue.running(), ...queue.pending()].some(({ id }) => id === job.id);

/** Adds the classes for messages and records that only a local server has. */
const localNodeClasses = (): ReadonlyMap<string, NodeClass> =>
  new Map([
    ...nodeClasses,
    ['SilentOutput', silentOutput],
    ['OddNumbers', oddNumbers],
    ['CycleOnPurpose', cycleOnPurpose],
    ['ExpandOnPurpose', expandOnPurpose],
    ['LazySwitch', lazySwitch],
  ]);

const answer = async (
  service: LocalService,
  request: IncomingMessage,
  url: URL,
  keepBody: (body: string) => void,
): Promise<Answer> => {
  if (isForeignOrigin(request, service.settings)) return empty(403);
  const method = request.method ?? '';
  // The engine answers it for any path, also where it sends no CORS headers.
  if (method === 'OPTIONS') return empty(200);
  const match = routeOf(service, method, url.pathname);
  if (!match || url.pathname.startsWith('/api/internal/')) return noRoute;
  if (match === 'other method') return methodNotAllowed;
  const textLimit = service.settings.switches.maxPromptBytes;
  const parts = requestParts(request, { url, params: match.params, textLimit, keepBody });
  try {
    return await match.route.handle({ ...parts, service, method, headers: request.headers });
  } catch (error) {
    if (error instanceof BodyTooLarge) return tooLarge(error);
    return internalServerError;
  }
};

const routeOf = (
  { settings }: LocalService,
  method: string,
  path: string,
): ReturnType<typeof matchRoute<LocalRoute>> => {
  const inner = withoutPrefix(path);
  const jobs = jobsRoutes(settings.facts);
  return (
    matchRoute(localRoutes, method, inner) ??
    matchRoute(jobs, method, path) ??
    matchRoute(jobs, method, inner)
  );
};

const admit = (
  service: LocalService,
  request: IncomingMessage,
  url: URL,
): ReturnType<Backend['acceptSocket']> => {
  if (isForeignOrigin(request, service.settings)) return empty(403);
  if (withoutPrefix(url.pathname) !== '/ws') return plain(404, '404: Not Found');
  return {
    onOpen: (client) => {
      const { hub, queue, ids, settings } = service;
      const sid = url.searchParams.get('clientId') || ids.hex(32);
      const remaining = queue.running().length + queue.pending().length;
      hub.add(sid, client, [statusEvent(remaining, settings.switches, sid), ...queue.reconnectMessages(sid)]);
    },
  };
};

/** Like the engine on loopback, refuses pages of other hosts and of other ports of this machine. */
const isForeignOrigin = (request: IncomingMessage, { allowOrigin }: Settings): boolean => {
  const { origin, host } = request.headers;
  if (!isAllowedRequest(request, allowOrigin)) return true;
  return origin !== undefined && !isAllowedOrigin(origin, allowOrigin) && new URL(origin).host !== host;
};

const withoutPrefix = (path: string): string => (path.startsWith('/api/') ? path.slice('/api'.length) : path);
