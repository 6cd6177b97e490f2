import { type RedisServer, startRedis } from '../test/helpers/redis-server.js';
import { createClient } from '../src/node.js';
import { createGateway } from '../src/gateway.js';
import { createJobQueue, createWorker, type QueueWorkerOptions, redisPorts } from '../src/queue.js';
import { createPool } from '../src/pool.js';
import { findProgram } from '../test/helpers/find-program.js';
import { setTimeout as wait } from 'node:timers/promises';
import { startEmulator } from '../src/emulator.js';

// Counts the commands that each part of a queue without jobs sends to Redis: `npx tsx scripts/idle-commands.ts [SECONDS]`.
// Those that its scripts make inside the server stand beside them, as some providers charge for both.

const seconds = Number(process.argv[2] ?? 60);
/** A worker rests from its second look on. */
const settledAfterMs = 25_000;
const program = findProgram('redis-server');
if (program === undefined) throw new Error('redis-server is not installed');
await using emulator = await startEmulator({ dialect: 'local' });

/** What a part of a queue takes, and what closes it. */
type Opens = (account: {
  readonly connection: string;
  readonly name: string;
}) => Promise<() => Promise<void>>;

const workerOf =
  (options: Partial<QueueWorkerOptions>): Opens =>
  async (account) => {
    // A worker rests where there is a queue.
    await using queue = createJobQueue(account);
    await queue.stats();
    const worker = createWorker({ ...account, ...options });
    await worker.ready;
    return () => worker.close();
  };
const poolOf = (count: number) =>
  createPool({
    servers: Array.from({ length: count }, (_, nth) => ({
      ...{ baseUrl: emulator.baseUrl.replace('127.0.0.1', `127.0.0.${nth + 1}`), dialect: 'local' as const },
      name: `server ${nth}`,
    })),
  });
const gatewayOf =
  (before: 'client' | 'queue'): Opens =>
  async (account) => {
    const of = before === 'queue' ? { queue: createJobQueue(account) } : { client: createClient(emulator) };
    const ports = await redisPorts(account);
    const gateway = createGateway({ ...of, ...ports, authorize: () => ({ name: 'ann' }) });
    await gateway.ready;
    return () => gateway.close();
  };
const parts: Readonly<Record<string, Opens>> = {
  'a worker of an account': workerOf({ client: createClient(emulator) }),
  'with a sink': workerOf({ client: createClient(emulator), sink: { deliver: () => Promise.resolve() } }),
  'with countExternalJobs': workerOf({ client: createClient(emulator), countExternalJobs: true }),
  'a worker over one server': workerOf({ pool: poolOf(1) }),
  'a worker over four servers': workerOf({ pool: poolOf(4) }),
  'a gateway before a client': gatewayOf('client'),
  'a gateway before a queue': gatewayOf('queue'),
  'createJobQueue alone': async (account) => {
    const queue = createJobQueue(account);
    await queue.stats();
    return () => queue.close();
  },
};

/** Commands by their names, and how many scripts made inside the server. */
const counted = async (server: RedisServer): Promise<Readonly<Record<string, number>>> => {
  const monitor = await server.connect().duplicate().monitor();
  const counts: Record<string, number> = { inside: 0 };
  monitor.on('monitor', (_: string, [name = '']: readonly string[], source: string) => {
    const kind = source.startsWith('lua') ? 'inside' : name.toLowerCase();
    counts[kind] = (counts[kind] ?? 0) + 1;
  });
  await wait(seconds * 1_000);
  monitor.disconnect();
  return counts;
};

const rate = (count: number): string => (count / seconds).toFixed(2);
const lines = await Promise.all(
  Object.entries(parts).map(async ([what, open]) => {
    await using server = await startRedis(program);
    const close = await open({ connection: `redis://127.0.0.1:${server.port}`, name: 'idle' });
    await wait(settledAfterMs);
    const { inside = 0, ...sent } = await counted(server);
    await close();
    const all = Object.values(sent).reduce((sum, count) => sum + count, 0);
    const names = Object.entries(sent).map(([name, count]) => `${name} ${rate(count)}`);
    return [what, `${rate(all)} a second`, `${rate(all + inside)} with scripts`, names.join(', ')].join('\t');
  }),
);
process.stdout.write(`${lines.join('\n')}\n`);
process.exit(0);
