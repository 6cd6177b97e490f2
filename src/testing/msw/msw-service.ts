import type { RequestHandler, WebSocketHandler } from 'msw';
import {
  defaultBaseUrl,
  memoryService,
  type ScriptedService,
  type ScriptedServiceOptions,
} from '../service/memory-service.js';
import { examplePicture } from '../service/example-picture.js';
import { pacedJobs } from '../service/paced-jobs.js';
import { realClock } from '../../core/platform/clock.js';
import { restHandlers } from './rest-handlers.js';
import { socketHandler } from './socket-handler.js';
import { uuid } from '../../core/platform/uuid.js';

/** Options of {@link mswService} and {@link promptwireHandlers}: those of a scripted service, and its address. */
export interface MswServiceOptions extends Omit<ScriptedServiceOptions, 'dialect'> {
  /** Where the page believes the service to be; default `http://127.0.0.1:8188`, and `https://service.test` for `cloud`. */
  readonly baseUrl?: string | undefined;
  /** Default `local`, the kind of service that a page reaches without a server of yours. */
  readonly dialect?: 'local' | 'cloud' | undefined;
}

/** A service that MSW plays in real time; an object that `createClient` takes as its options. */
export interface MswService extends Omit<ScriptedService, 'clock'> {
  /** The handlers of its routes and its socket, for `setupWorker` or `setupServer`. */
  readonly handlers: readonly (RequestHandler | WebSocketHandler)[];
}

/**
 * Makes a service in memory with handlers for MSW, for what a test or a story has to see of it.
 *
 * It is a `scriptedService` in real time: `jobs`, `requests`, `inject` and `send` are the same. Its pictures are small landscapes.
 * Where `jobs` leaves open what a job does, it is what `pacedJobs()` makes. `createClient(service)` reaches it in memory, also in
 * programs whose requests MSW can't see.
 *
 * @example
 * ```ts
 * import { mswService } from 'promptwire/testing/msw';
 * import { setupServer } from 'msw/node';
 *
 * const service = mswService();
 * setupServer(...service.handlers).listen();
 * await fetch(`${service.baseUrl}/api/queue`);
 * console.log(service.requests.map(({ route }) => route)); // ['queue']
 * ```
 */
export const mswService = (options: MswServiceOptions = {}): MswService => {
  const dialect = options.dialect ?? 'local';
  const service = memoryService(
    { ...options, dialect },
    {
      ...{ clock: realClock, uuid, newId: uuid, picture: examplePicture, script: pacedJobs() },
      baseUrl: options.baseUrl?.replace(/\/+$/u, '') ?? defaultBaseUrl(dialect),
    },
  );
  const { openSocket, request } = service.platform;
  const handlers = [socketHandler(service.baseUrl, openSocket), ...restHandlers(service.baseUrl, request)];
  return Object.assign(service, { handlers });
};

/**
 * Makes handlers for MSW that play a whole service, so that a page, a story or a test needs no process.
 *
 * A page that talks to `baseUrl` gets jobs that run, send progress and previews, and end with pictures. `jobs` and `faults` script
 * other states. Each call makes a service of its own; `mswService` gives access to one.
 *
 * @example
 * ```ts
 * import { promptwireHandlers } from 'promptwire/testing/msw';
 * import { setupServer } from 'msw/node';
 *
 * const server = setupServer(...promptwireHandlers({ baseUrl: 'http://127.0.0.1:8188' }));
 * server.listen({ onUnhandledRequest: 'bypass' });
 * ```
 */
export const promptwireHandlers = (options?: MswServiceOptions): MswService['handlers'] =>
  mswService(options).handlers;
