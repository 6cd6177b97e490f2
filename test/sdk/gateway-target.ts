import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bearerTokens } from '../../src/server/gateway/http/bearer-tokens.js';
import { bookedJobs, stepMsOf } from './emulator-target.js';
import { countedStreams } from './counted-streams.js';
import { createClient, type Dialect } from '../../src/node.js';
import { type Authorize, createGateway } from '../../src/gateway.js';
import { startEmulator } from '../../src/emulator.js';
import { emulatorGraphs } from './emulator-graphs.js';
import type { JobIndex } from '../../src/server/joblog/job-index.js';
import { memoryJobIndex } from '../../src/server/gateway/store/memory-job-index.js';
import { NotPossible } from './scenario.js';
import type { DisposableTarget, EngineDown, Habits } from './target.js';
import { toNodeHandler } from '../../src/server/gateway/node/to-node-handler.js';

/** The gateway as a target, over an emulator of one dialect, ten times faster than its default pace. */
export const gatewayTarget =
  (dialect: Dialect) =>
  async (habits: Habits = {}): Promise<DisposableTarget> => {
    refuse(dialect, habits);
    const emulator = await startEmulator(emulatorOptions(dialect, habits));
    const {
      mount = '',
      jobsAtOnce = 3,
      queueLimit = 100,
      streamLimit = 8,
      maxUploadBytes = 100 * 2 ** 20,
    } = habits;
    const client = createClient({
      ...{ baseUrl: emulator.baseUrl, wsUrl: emulator.wsUrl, apiKey: emulator.apiKey, dialect },
      ...(dialect !== 'v2' && { partnerKeyField: 'api_key_comfy_org' }),
    });
    const { index, idOf } = bookkeeping();
    const named = bearerTokens({ first: FIRST, stranger: STRANGER });
    let isRevoked = false;
    const authorize: Authorize =
      habits.anonymous === true
        ? () => ({ name: 'everyone' })
        : (request) => (isRevoked ? undefined : named(request));
    const gateway = createGateway({
      ...{ client, authorize, index, mount, reauthorizeMs: 50 },
      // Each job that waits or runs is one of the limit.
      limits: {
        jobs: jobsAtOnce + queueLimit,
        streams: streamLimit,
        uploadBytes: maxUploadBytes,
        requestsPerSecond: 1000,
      },
    });
    const streams = countedStreams();
    const sockets = new Set<ServerResponse>();
    let losesFile = false;
    const handler = toNodeHandler({
      fetch: async (request) => {
        const response = await gateway.fetch(request);
        if (losesFile && response.status === 404 && request.url.endsWith('/content')) {
          losesFile = false;
          emulator.setFaults([]);
        }
        return streams.count(response);
      },
    });
    const server = createServer((incoming, outgoing) => {
      if (incoming.url?.endsWith('/events') === true) sockets.add(outgoing);
      outgoing.once('close', () => sockets.delete(outgoing));
      void handler(incoming, outgoing);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const [submission, ...reads] = routes[dialect];
    const unanswered = (when: 'at submission' | 'while it runs'): EngineDown => {
      const body = JSON.stringify({ error: { code: 'upstream_error', message: 'The engine is down.' } });
      const answer = { status: 500, headers: { 'content-type': 'application/json' }, body };
      const calls = when === 'at submission' ? [`POST ${submission}`] : reads.map((route) => `GET ${route}`);
      emulator.setFaults(
        calls.map((route) => ({ on: 'rest', do: 'answer', route, times: 'every', ...answer })),
      );
      return { bringBack: () => emulator.setFaults([]) };
    };

    return {
      name: `the gateway over ${dialect}`,
      baseUrl: `http://127.0.0.1:${port}${mount}`,
      apiKey: habits.anonymous === true ? undefined : FIRST,
      strangerKey: STRANGER,
      graphs: emulatorGraphs(stepMsOf(habits)),
      jobs: () => bookedJobs(emulator).map((job) => ({ ...job, id: idOf(job.id) })),
      openStreams: streams.open,
      fresh: gatewayTarget(dialect),
      ...((client.submissionIds === 'jobs' || client.submissionIds === 'unproven') && {
        loseNextAnswer: () =>
          emulator.setFaults([{ on: 'rest', do: 'commit-then-cut', route: `POST ${submission}` }]),
      }),
      waitsForDeployment: true,
      ...(dialect === 'cloud' && { largestUploadBytes: 50 * 2 ** 20 }),
      engineDown: unanswered,
      revokeKey: () => {
        isRevoked = true;
        return Promise.resolve();
      },
      setCredits: (hasCredits) => emulator.setBilling(hasCredits ? 'active' : 'no credits'),
      inject: streams.inject,
      cutStreams: () => {
        for (const response of sockets) response.destroy();
      },
      loseFile: () => {
        losesFile = true;
        const body = JSON.stringify({ error: { code: 'output_unavailable', message: 'It is gone.' } });
        const headers = { 'content-type': 'application/json' };
        const route = `GET ${files[dialect]}`;
        emulator.setFaults([{ on: 'rest', do: 'answer', route, times: 'every', status: 404, headers, body }]);
      },
      [Symbol.asyncDispose]: async () => {
        await gateway.close();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await client.close();
        await emulator.close();
      },
    };
  };

const FIRST = 'comfyui-of-the-first-caller';
const STRANGER = 'comfyui-of-another-caller';

/** Where each dialect takes submissions, and then where it tells of jobs. */
const routes: Readonly<Record<Dialect, readonly [string, ...string[]]>> = {
  cloud: ['/api/prompt', '/api/job/{id}/status', '/api/history_v2/{id}', '/api/jobs/{id}'],
  local: ['/prompt', '/queue', '/history/{id}', '/api/jobs/{id}'],
  v2: ['/api/v2/jobs', '/api/v2/jobs/{id}'],
};

const files: Readonly<Record<Dialect, string>> = {
  cloud: '/api/view',
  local: '/view',
  v2: '/api/v2/assets/{id}/content',
};

/** What the gateway or the service behind it can't be. */
const refuse = (dialect: Dialect, { content, notReadyMs = 0, jobsAtOnce = 1 }: Habits): void => {
  if (content === 'redirect') throw new NotPossible('the gateway never redirects to the storage');
  if (notReadyMs > 0 && dialect !== 'v2') throw new NotPossible('only API v2 has a word for it');
  if (jobsAtOnce > 1 && dialect === 'local') throw new NotPossible('an engine runs one job at a time');
};

const emulatorOptions = (dialect: Dialect, habits: Habits): Parameters<typeof startEmulator>[0] => {
  const { jobsAtOnce = 3, notReadyMs = 0, unhurried = false } = habits;
  const progressIntervalMs = unhurried ? 3_600_000 : 50;
  return {
    dialect,
    speed: 50 / stepMsOf(habits),
    ...(dialect !== 'local' && { concurrency: jobsAtOnce }),
    ...(dialect === 'v2' && { switches: { notReadyMs, progressIntervalMs } }),
  };
};

/** An index that tells which job of the gateway a job of the service is. */
const bookkeeping = (): { readonly index: JobIndex; readonly idOf: (promptId: string) => string } => {
  const index = memoryJobIndex();
  const ids = new Map<string, string>();
  return {
    index: {
      ...index,
      add: (record) => {
        ids.set(record.submissionId, record.id);
        return index.add(record);
      },
      update: (id, change) => {
        if (change.promptId !== undefined) ids.set(change.promptId, id);
        return index.update(id, change);
      },
    },
    idOf: (promptId) => ids.get(promptId) ?? promptId,
  };
};
