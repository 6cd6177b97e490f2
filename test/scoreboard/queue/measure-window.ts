import { createJobQueue, createWorker } from '../../../src/queue.js';
import { createClientOn } from '../../../src/client/client.js';
import { fileAccess } from '../../../src/core/files/file-access.js';
import { inParallel } from '../../helpers/in-parallel.js';
import { nodePlatform } from '../../../src/core/platform/node.js';
import type { RedisServer } from '../../helpers/redis-server.js';
import { startEmulator, textToImageWorkflow } from '../../../src/emulator.js';
import { lastValueFrom } from 'rxjs';

const slots = 10;

/**
 * How long after the store's check that the job is the worker's own each of so many submissions left, in milliseconds: a worker that is
 * suspended just then is the one that may submit what another one has by now. Both clocks are this machine's.
 */
export const measureWindow = async (server: RedisServer, jobs: number): Promise<readonly number[]> => {
  const connection = `redis://127.0.0.1:${server.port}`;
  const name = 'window';
  await using emulator = await startEmulator({ speed: Infinity, concurrency: slots });
  const { baseUrl, wsUrl, apiKey } = emulator;
  const node = nodePlatform();
  const leftAt = new Map<unknown, number>();
  const client = createClientOn(
    {
      ...node,
      request: (request) => {
        const { extra_data: extra } = JSON.parse(request.json ?? '{}') as { readonly extra_data?: Marked };
        if (extra !== undefined) leftAt.set(extra.promptwire_submission, Date.now());
        return node.request(request);
      },
    },
    // The pace of requests is not what is measured.
    { baseUrl, wsUrl, apiKey, requestBudget: { perSecond: 1_000, burst: 1_000 } },
    fileAccess,
  );
  await using queue = createJobQueue({ connection, name, tier: slots });
  const worker = createWorker({ connection, name, client });
  const workflows = Array.from({ length: jobs }, (_, seed) => textToImageWorkflow({ seed, steps: 1 }));
  const ids = await inParallel(workflows, slots, (workflow) => queue.add(workflow));
  await Promise.all(ids.map((id) => lastValueFrom(queue.follow(id))));
  await worker.close();
  await client.close();
  const redis = server.connect();
  return await Promise.all(
    ids.map(async (id) => {
      const text = (await redis.hget(`{promptwire:${name}}:job:${id}`, 'intent')) ?? '{}';
      const { submissionId, at } = JSON.parse(text) as { readonly submissionId: string; readonly at: number };
      return Math.max(0, (leftAt.get(submissionId) ?? Infinity) - at);
    }),
  );
};

interface Marked {
  readonly promptwire_submission?: string;
}
