import type { AddressInfo } from 'node:net';
import { apiListener, storageListener } from './server/api-server.js';
import type { Backend } from './backend.js';
import { createCloudBackend } from './cloud/cloud-backend.js';
import { createExchangePlanner } from './faults/exchange-plan.js';
import { createFaultInjector, type FaultInjector } from './faults/fault-injector.js';
import { createLocalProcess, type LocalProcess } from './local/local-process.js';
import { createRecorder } from './server/recorder.js';
import { createServer, type Server } from 'node:http';
import { createService } from './cloud/cloud-service.js';
import { createV2Backend } from './v2/v2-backend.js';
import { createV2Service, type V2Service } from './v2/v2-service.js';
import { createSocketLedger } from './sockets/client-socket.js';
import { crossOriginHeaders } from './http/cross-origin.js';
import type { Duplex } from 'node:stream';
import type { Emulator, EmulatorOptions } from './options.js';
import type { RecordedRequest } from './ledger.js';
import { readState, writeState } from './state/state-text.js';
import { resolveSettings, type Settings } from './settings.js';
import { upgradeListener } from './server/upgrade.js';
import { WebSocketServer } from 'ws';

/**
 * Starts the service in this process: real HTTP and WebSocket on 127.0.0.1, by default on free ports.
 *
 * Emulators share no state. It resolves once both origins listen, and rejects with the system's error where the port is
 * taken and with a `RangeError` for an invalid option. `close()` (or `await using`) ends sockets, jobs, timers and both
 * servers at once.
 *
 * A workflow can request a failure through `extra_data.emulate`: `{ status: 500 }` makes the submission fail with 500,
 * `{ end: 'lost' }` loses the worker after the job has started.
 *
 * @example
 * ```ts
 * import { startEmulator, textToImageWorkflow } from 'promptwire/emulator';
 *
 * await using emulator = await startEmulator({ speed: Infinity });
 * const answer = await fetch(`${emulator.baseUrl}/api/prompt`, {
 *   method: 'POST',
 *   headers: { 'X-API-Key': emulator.apiKey, 'Content-Type': 'application/json' },
 *   body: JSON.stringify({ prompt: textToImageWorkflow() }),
 * });
 * console.log(await answer.json());
 * ```
 */
export const startEmulator = async (options: EmulatorOptions = {}): Promise<Emulator> => {
  const settings = resolveSettings(options);
  const recorder = createRecorder((key) => backend.acceptsKey(key));
  const sockets = socketServer(settings);
  let refusedWith: number | undefined;

  const cutSockets = (): void => {
    for (const socket of sockets.clients) socket.terminate();
    for (const stream of v2?.streams.open() ?? []) stream.cut();
  };
  const faults = createFaultInjector({
    faults: options.faults ?? [],
    seed: settings.seed,
    clock: settings.clock,
    cutSockets,
  });

  /** The status with which sockets and event streams are refused now. */
  const refusal = (): number | undefined => refusedWith ?? (faults.refusesSockets() ? 503 : undefined);

  // Like the engine's, this server has no limit for a request that moves, or waits while the server stands still.
  const api = createServer({ requestTimeout: 0, headersTimeout: 0 });
  const storage = createServer();
  const storageUrl = await listen(storage, 0);
  const closeStorage = async (error: unknown): Promise<never> => {
    await closeServer(storage);
    throw error;
  };
  const { basePath } = settings.switches;
  const around = { api, storageUrl, faults, refusal };
  const { backend, v2, local } = await openService(settings, options, around).catch(closeStorage);
  const plan = createExchangePlanner(faults.registry);
  const headers = crossOriginHeaders(settings.allowOrigin, settings.dialect);
  const origin = { backend, recorder, clock: settings.clock, plan, headers, basePath };
  const socketLedger = createSocketLedger();
  api.on('request', apiListener(origin));
  const upgraded = upgradedStreams(api);
  api.on(
    'upgrade',
    upgradeListener({
      backend,
      recorder,
      sockets,
      ledger: socketLedger,
      refusedWith: refusal,
      plan: faults.planSocket,
      basePath,
    }),
  );
  storage.on('request', storageListener(origin));
  // Last: a connection that came before the listeners would never be answered.
  const baseUrl = await listen(api, settings.port).catch(closeStorage);
  local?.arm();

  const requestsTo = (server: 'api' | 'storage'): readonly RecordedRequest[] =>
    recorder.requests.filter(({ origin: at }) => at === server);
  const close = async (): Promise<void> => {
    backend.stop();
    cutSockets();
    upgraded.destroy();
    await Promise.all([settings.ffmpeg.close(), ...[api, storage].map(closeServer)]);
  };

  return {
    dialect: settings.dialect,
    baseUrl: baseUrl + basePath,
    wsUrl: baseUrl.replace('http:', 'ws:') + basePath,
    storageUrl,
    apiKey: backend.apiKey,
    setBilling: backend.setBilling,
    requests: recorder.requests,
    get openStreams() {
      return v2?.streams.open().length ?? 0;
    },
    get openSockets() {
      return sockets.clients.size;
    },
    inject: (message) => {
      for (const socket of sockets.clients) socket.send(message);
      for (const stream of v2?.streams.open() ?? []) stream.inject(message);
    },
    cutSockets,
    refuseSockets: (status) => {
      refusedWith = status;
    },
    answerOnce: recorder.answerOnce,
    setFaults: (next) => {
      faults.registry.set(next);
      local?.arm();
    },
    ledger: {
      get jobs() {
        return backend.jobs();
      },
      get requests() {
        return { api: requestsTo('api'), storage: requestsTo('storage') };
      },
      sockets: socketLedger.sockets,
      streams: v2?.streams.ledger ?? [],
      loads: local?.loads ?? [],
      faults: faults.registry.applied,
    },
    exportState: () => writeState(settings.dialect, backend.save()),
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** The service of one dialect. */
interface OpenService {
  readonly backend: Backend;
  readonly v2?: V2Service;
  readonly local?: LocalProcess;
}

/** What a service is made of beside its options. */
interface ServiceParts {
  readonly api: Server;
  readonly storageUrl: string;
  readonly faults: FaultInjector;
  readonly refusal: V2Service['refusesStreams'];
}

/** Makes the service of the dialect, which goes on from the state of the options. */
const openService = async (
  settings: Settings,
  options: EmulatorOptions,
  parts: ServiceParts,
): Promise<OpenService> => {
  const opened = await serviceOf(settings, options, parts);
  if (options.state === undefined) return opened;
  try {
    opened.backend.restore(readState(options.state, settings.dialect));
    return opened;
  } catch (error) {
    opened.backend.stop();
    throw error;
  }
};

const serviceOf = async (
  settings: Settings,
  options: EmulatorOptions,
  { api, storageUrl, faults, refusal }: ServiceParts,
): Promise<OpenService> => {
  if (settings.dialect === 'local') {
    const local = createLocalProcess(settings, faults, api);
    return { backend: local.backend, local };
  }
  const service = createService(settings, options, storageUrl, faults);
  if (settings.dialect === 'cloud') return { backend: createCloudBackend(service) };
  const v2 = await createV2Service(service, refusal);
  return { backend: createV2Backend(v2, createCloudBackend(service)), v2 };
};

const socketServer = ({ dialect, switches }: Settings): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    // The local server accepts compression, the cloud does not.
    perMessageDeflate: dialect === 'local',
    maxPayload: switches.maxMessageBytes,
  });

/** The connections that a server has upgraded: it tracks them no more, and a stalled one never ends, so they are destroyed here. */
const upgradedStreams = (server: Server): { readonly destroy: () => void } => {
  const open = new Set<Duplex>();
  server.on('upgrade', (_request, stream: Duplex) => {
    open.add(stream);
    stream.once('close', () => open.delete(stream));
  });
  return {
    destroy: () => {
      for (const stream of open) stream.destroy();
    },
  };
};

const listen = (server: Server, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    if (!server.listening) {
      resolve();
      return;
    }
    server.close(() => resolve());
    server.closeAllConnections();
  });
