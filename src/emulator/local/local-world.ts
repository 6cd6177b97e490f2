import type { Answer } from '../http/answer.js';
import { BodyTooLarge, requestParts } from '../http/api-request.js';
import { createFileStore } from '../store/file-store.js';
import { createIds } from '../ids.js';
import { createJobAnswers } from '../faults/job-answers.js';
import { createLocalHub } from './local-hub.js';
import { createLocalQueue } from './local-queue.js';
import { createPace } from '../pace.js';
import { createResultCache } from '../scheduler/result-cache.js';
import { empty, localJson, plain, serverTrouble } from './local-answer.js';
import type { FaultKit } from '../faults/fault-kit.js';
import type { IncomingMessage } from 'node:http';
import { isAllowed, isWelcome } from '../http/cross-origin.js';
import type { Job } from '../scheduler/job.js';
import { localRoutes } from './local-routes.js';
import type { LocalService } from './local-service.js';
import { matchRoute } from '../http/match-route.js';
import type { NodeClass } from '../engine/node-class.js';
import { nodeClasses } from '../engine/node-classes.js';
import { oddNumbers, silentOutput } from './local-nodes.js';
import type { Settings } from '../settings.js';
import { statusEvent } from '../scheduler/events.js';
import type { World } from '../world.js';

/** One engine on one's own machine: no keys, one job at a time, events for whoever submitted. */
export const createLocalWorld = (settings: Settings, faults: FaultKit): World => {
  const service = createLocalService(settings, faults);
  const apiKey = `comfyui-${createIds(settings.seed).hex(64)}`;
  return {
    // Nobody asks for it: a program that sends it all the same is found out by the requests.
    apiKey,
    knowsKey: (key) => key === apiKey,
    setBilling: () => undefined,
    answer: async (request, url, keepBody) =>
      service.jobAnswers(request.method ?? '', url, await answer(service, request, url, keepBody), missing),
    missing,
    jobs: () => faults.book.jobs((job) => isGone(service, job)),
    admit: (request, url) => admit(service, request, url),
    serve: () => empty(404),
    stop: service.queue.stop,
  };
};

const missing: World['missing'] = ({ pathname }) =>
  withoutPrefix(pathname).startsWith('/history/') ? localJson({}) : plain(404, '404: Not Found');

const createLocalService = (settings: Settings, faults: FaultKit): LocalService => {
  const { clock } = settings;
  const classes = localNodeClasses();
  const files = createFileStore(settings.switches);
  const hub = createLocalHub(settings, faults.newGate());
  const queue = createLocalQueue({
    settings,
    clock,
    hub,
    files,
    onAccepted: faults.accept,
    forgets: faults.loses,
    nodeClasses: classes,
    cache: createResultCache(),
    pace: createPace(clock, settings.speed),
  });
  let number = -1;
  const nextNumber = (): number => (number += 1);
  const ids = createIds(settings.seed);
  const startedAt = clock.now();
  const jobAnswers = createJobAnswers(faults, clock);
  const state = { settings, clock, files, hub, queue, ids, faults, jobAnswers };
  return { ...state, nodeClasses: classes, startedAt, nextNumber };
};

/** A job that is neither in the queue nor in history was deleted. */
const isGone = ({ queue }: LocalService, job: Job): boolean =>
  ![...queue.running(), ...queue.pending()].some(({ id }) => id === job.id);

/** Two more classes than the hosted service has, for what only a local server says. */
const localNodeClasses = (): ReadonlyMap<string, NodeClass> =>
  new Map([...nodeClasses, ['SilentOutput', silentOutput], ['OddNumbers', oddNumbers]]);

const answer = async (
  service: LocalService,
  request: IncomingMessage,
  url: URL,
  keepBody: (body: string) => void,
): Promise<Answer> => {
  if (isForeignOrigin(request, service.settings)) return empty(403);
  const method = request.method ?? '';
  // The engine answers it for any path, whether or not it sends headers that allow anything.
  if (method === 'OPTIONS') return empty(200);
  const match = matchRoute(localRoutes, method, withoutPrefix(url.pathname));
  if (!match) return plain(404, '404: Not Found');
  if (match === 'other method') return plain(405, '405: Method Not Allowed');
  const textLimit = service.settings.switches.maxPromptBytes;
  const parts = requestParts(request, { url, params: match.params, textLimit, keepBody });
  try {
    return await match.route.handle({ ...parts, service, method, headers: request.headers });
  } catch (error) {
    if (error instanceof BodyTooLarge) return plain(413, `Maximum request body size ${textLimit} exceeded`);
    return serverTrouble;
  }
};

const admit = (service: LocalService, request: IncomingMessage, url: URL): ReturnType<World['admit']> => {
  if (isForeignOrigin(request, service.settings)) return empty(403);
  if (withoutPrefix(url.pathname) !== '/ws') return plain(404, '404: Not Found');
  return {
    welcome: (outlet) => {
      const { hub, queue, ids, settings } = service;
      const sid = url.searchParams.get('clientId') || ids.hex(32);
      const remaining = queue.running().length + queue.pending().length;
      hub.add(sid, outlet, [statusEvent(remaining, settings.switches, sid), ...queue.reminder(sid)]);
    },
  };
};

/** The server is on loopback, so a page from anywhere else is turned away, and one from another port of this machine. */
const isForeignOrigin = (request: IncomingMessage, { allowOrigin }: Settings): boolean => {
  const { origin, host } = request.headers;
  if (!isWelcome(request, allowOrigin)) return true;
  return origin !== undefined && !isAllowed(origin, allowOrigin) && new URL(origin).host !== host;
};

const withoutPrefix = (path: string): string => (path.startsWith('/api/') ? path.slice('/api'.length) : path);
