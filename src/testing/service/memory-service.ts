import type { Clock, Platform } from '../../core/platform/platform.js';
import type { Dialect } from '../../client/dialects/dialects.js';
import { type Faults, type ServiceFault, serviceFaults } from './faults.js';
import type { JobScript } from './job-script.js';
import { type JobScripts, type ScriptedJob, scriptedJobs } from './scripted-jobs.js';
import { memoryFiles } from './memory-files.js';
import { routeOf, serviceAnswers } from './service-answers.js';
import { type ScriptedRequest, scriptedRequests } from './scripted-requests.js';
import { scriptedSockets } from './scripted-sockets.js';
import type { VirtualClock } from '../virtual-clock.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Options of {@link scriptedService}; all of them are data, and so a failing case can be stored. */
export interface ScriptedServiceOptions {
  /** The lives of the jobs: one script for each submission in turn, the last one for all after it, or a function. */
  readonly jobs?: JobScripts | undefined;
  /** What goes wrong; `inject` adds to it later. */
  readonly faults?: readonly ServiceFault[] | undefined;
  /** Default `cloud`. */
  readonly dialect?: Dialect | undefined;
  /** The key that the service accepts; default `scripted-service-key`. A local server has none. */
  readonly apiKey?: string | undefined;
  /** How many jobs run at once; default 1. */
  readonly concurrency?: number | undefined;
  /** How long one way between client and service takes; default 5 ms. */
  readonly latencyMs?: number | undefined;
  /** The files that can be fetched, by name; a picture that a job names and that is not here is one transparent pixel. */
  readonly files?: Readonly<Record<string, Uint8Array>> | undefined;
  /** The answer to `GET /api/object_info`; default an empty object. */
  readonly objectInfo?: Readonly<Record<string, unknown>> | undefined;
  /** The client's source of randomness, which spreads its retries; default 0.5 each time. */
  readonly random?: (() => number) | undefined;
}

/** A service, a network and a disk in memory and virtual time; an object that `createClient` takes as its options. */
export interface ScriptedService {
  /** Where the client believes the service to be; nothing is opened there. */
  readonly baseUrl: string;
  /** The key that the service accepts; undefined for a local server. */
  readonly apiKey: string | undefined;
  /** Which kind of service it is. */
  readonly dialect: Dialect;
  /** What the client gets instead of the runtime's sockets, requests, disk, clock and randomness. */
  readonly platform: Platform;
  /** The only time that passes for client and service. */
  readonly clock: VirtualClock;
  /** The jobs as they truly are, in the order of acceptance: what to compare a client's states with. */
  readonly jobs: readonly ScriptedJob[];
  /** Every request of the client, in order. */
  readonly requests: readonly ScriptedRequest[];
  /** How many sockets are open now. */
  readonly openSockets: number;
  /** What the client saved with `download`, by path; a path that is set here can be uploaded. */
  readonly savedFiles: Map<string, Uint8Array>;
  /** Gives the service another fault; its times and counts begin now. */
  readonly inject: (fault: ServiceFault) => void;
  /** Sends a message to every open socket: text, bytes, or a value as JSON. */
  readonly send: (message: unknown) => void;
}

/** Where a service in memory is, what time passes for it, and what it makes of its own. */
export interface MemoryServiceWorld<Time extends Clock> {
  readonly baseUrl: string;
  readonly clock: Time;
  /** The client's ids. */
  readonly uuid: () => string;
  /** The ids of jobs. */
  readonly newId: () => string;
  /** What a job does as far as its script leaves it open. */
  readonly script: (workflow: Workflow, index: number) => JobScript;
  /** The bytes of a picture that a job put out. */
  readonly picture: (name: string) => Uint8Array;
}

/** A service in memory on any clock. */
export type MemoryService<Time extends Clock> = Omit<ScriptedService, 'clock'> & { readonly clock: Time };

/** Where services are when nothing else is said. */
export const defaultBaseUrl = (dialect: Dialect): string =>
  dialect === 'local' ? 'http://127.0.0.1:8188' : 'https://service.test';

/** Makes a service, a network and a disk in memory. */
export const memoryService = <Time extends Clock>(
  {
    jobs: scripts = [],
    faults: given = [],
    dialect = 'cloud',
    apiKey: key = 'scripted-service-key',
    concurrency = 1,
    latencyMs = 5,
    files = {},
    objectInfo = {},
    random = () => 0.5,
  }: ScriptedServiceOptions,
  { baseUrl, clock, uuid, newId, script, picture }: MemoryServiceWorld<Time>,
): MemoryService<Time> => {
  const isLocal = dialect === 'local';
  const apiKey = isLocal ? undefined : key;
  const stored = new Map(Object.entries(files));
  const savedFiles = new Map<string, Uint8Array>();
  const requests: ScriptedRequest[] = [];
  const faults = (): Faults => allFaults;

  const sockets = scriptedSockets({
    clock,
    faults,
    latencyMs,
    apiKey,
    greeting: (clientId) => [
      JSON.stringify({
        type: 'status',
        data: { status: { exec_info: { queue_remaining: 0 } }, ...(isLocal ? { sid: clientId } : {}) },
      }),
    ],
  });
  const allFaults = serviceFaults(clock, sockets.drop);
  const jobs = scriptedJobs({
    clock,
    scripts,
    defaultScript: script,
    concurrency,
    newId,
    send: (message, job) => sockets.send(message, isLocal ? job?.clientId : undefined),
  });
  const request = scriptedRequests({
    clock,
    faults,
    latencyMs,
    routeOf,
    act: serviceAnswers({
      isLocal,
      apiKey,
      jobs,
      objectInfo,
      fileOf: (name) => stored.get(name) ?? (isPutOut(jobs.all, name) ? picture(name) : undefined),
      keep: (name, bytes) => void stored.set(name, bytes),
    }),
    log: (one) => void requests.push(one),
  });
  for (const fault of given) allFaults.give(fault);

  return {
    baseUrl,
    apiKey,
    dialect,
    clock,
    platform: {
      clock,
      random,
      uuid,
      openSocket: sockets.open,
      request,
      files: memoryFiles(savedFiles),
    },
    jobs: jobs.all,
    requests,
    get openSockets() {
      return sockets.openCount();
    },
    savedFiles,
    inject: allFaults.give,
    send: (message) =>
      sockets.send(
        typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message),
      ),
  };
};

const isPutOut = (jobs: readonly ScriptedJob[], name: string): boolean =>
  jobs.some(({ outputs }) =>
    JSON.stringify(outputs).includes(JSON.stringify({ filename: name }).slice(1, -1)),
  );
