import type { Answer } from '../http/answer.js';
import type { Backend } from '../backend.js';
import { BodyTooLarge, requestParts } from '../http/request.js';
import { createDevice } from './device.js';
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
import type { EngineFacts } from './engine-facts.js';
import { empty, internalServerError, localJson, plain, tooLarge } from './local-http.js';
import type { FaultInjector } from '../faults/fault-injector.js';
import type { IncomingMessage } from 'node:http';
import { isAllowedOrigin, isAllowedRequest } from '../http/cross-origin.js';
import type { EngineMemory } from '../engine-outage.js';
import type { Job } from '../scheduler/job.js';
import { jobNotFound } from './routes/jobs.js';
import { jobsRoutes, type LocalRoute, localRoutes, methodNotAllowed } from './local-routes.js';
import type { LocalService } from './local-service.js';
import { leftOf, restoreLocal, saveLocal } from './local-state.js';
import { matchRoute } from '../http/match-route.js';
import type { NodeClass } from '../engine/node-class.js';
import { nodeClasses } from '../engine/node-classes.js';
import { cycleOnPurpose, expandOnPurpose, lazySwitch, oddNumbers, silentOutput } from './local-nodes.js';
import type { Settings } from '../settings.js';
import { statusEvent } from '../messages.js';
import { submissionNumbers } from './submission-numbers.js';
import type { UserFile } from './user-file.js';

/** The backend of a local server, whose process may end. */
export interface LocalBackend extends Backend {
  /** Ends it as a process that is killed; returns what is left of it, for `restore`. */
  readonly crash: (keeps: EngineMemory) => unknown;
}

/** What {@link createLocalBackend} reports to. */
export interface LocalBackendOptions {
  readonly faults: FaultInjector;
  /** Called with every model that it loads. */
  readonly onLoad: (model: string) => void;
  /** Called with every job that begins to run. */
  readonly onStarted: (job: Job) => void;
}

/** One engine on the user's machine: no keys, one job at a time, events for the client that submitted. */
export const createLocalBackend = (settings: Settings, given: LocalBackendOptions): LocalBackend => {
  const { faults } = given;
  const service = createLocalService(settings, given);
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
    crash: (keeps) => {
      const { queue } = service;
      const left = leftOf(service, keeps);
      for (const job of [...queue.running(), ...queue.pending()]) job.status = 'lost';
      queue.stop();
      return left;
    },
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

const createLocalService = (
  settings: Settings,
  { faults, onLoad, onStarted }: LocalBackendOptions,
): LocalService => {
  const { clock, machine, speed } = settings;
  const classes = localNodeClasses();
  const files = createFileStore(settings.switches);
  const hub = createLocalHub(settings, faults.createEventInterceptor());
  const log = createLocalLog(hub, clock);
  const cache = createResultCache();
  const pace = createPace(clock, speed);
  const device = createDevice({ machine, pace, speed, onLoad });
  const freeing = createFreeing(cache, device);
  const ids = createIds(settings.seed);
  const queue = createLocalQueue({
    settings,
    clock,
    hub,
    files,
    log,
    onAccepted: (job, isRestored) => {
      if (!isRestored || !faults.onRestarted(job)) faults.onAccepted(job);
    },
    onStarted,
    losesWorker: faults.losesWorker,
    nodeClasses: classes,
    cache,
    afterJob: freeing.act,
    pace,
    reserve: device.reserve,
    assetId: settings.switches.assets ? ids.uuid : undefined,
  });
  const startedAt = clock.now();
  const jobAnswers = createJobAnswers(faults, clock, pythonJson);
  const editorSettings = new Map<string, unknown>();
  const userNames = new Set<string>();
  const userdata = new Map<string, UserFile>();
  const userFolders = new Set<string>();
  const state = {
    userNames,
    userdata,
    userFolders,
    settings,
    clock,
    files,
    hub,
    queue,
    ids,
    faults,
    jobAnswers,
    log,
    device,
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
