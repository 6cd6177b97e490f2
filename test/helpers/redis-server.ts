import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

/** A Redis server of a test, with the settings that a queue needs. */
export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  /** Everything that the server was asked to keep, as it wrote it. */
  readonly written: () => Promise<Buffer>;
  /** Opens a connection that waits while the server is away; it closes with the server. */
  readonly connect: () => Redis;
  /** Ends the process at once, as a crash does. */
  readonly kill: () => Promise<void>;
  /** Has the process stand still, with its connections open, until it goes on. */
  readonly stop: () => void;
  readonly goOn: () => void;
  /** The folder of its files. */
  readonly folder: string;
  /** Starts it again on what it has kept. */
  readonly start: () => Promise<void>;
}

/** Starts `redis-server` on the loopback interface, in a folder of its own, with these settings besides. */
export const startRedis = async (
  program: string,
  more: Readonly<Record<string, string>> = {},
): Promise<RedisServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-redis-'));
  const port = await freePort();
  const connections = new Set<Redis>();
  let child: ChildProcess | undefined;

  const connect = (): Redis => {
    const redis = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null, retryStrategy: () => 50 });
    // The connection says so of every attempt while the server is away.
    redis.on('error', () => undefined);
    connections.add(redis);
    return redis;
  };
  const start = async (): Promise<void> => {
    const options = { bind: '127.0.0.1', dir: folder, save: '', appendonly: 'yes', appendfsync: 'always' };
    const all = { ...options, ...more, port, 'maxmemory-policy': 'noeviction' };
    const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)]);
    child = spawn(program, args, { stdio: 'ignore' });
    const redis = connect();
    await redis.ping();
    redis.disconnect();
  };
  const kill = async (): Promise<void> => {
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    child = undefined;
    await exited;
  };
  await start();
  return {
    port,
    written: async () => {
      const kept = join(folder, 'appendonlydir');
      return Buffer.concat(
        await Promise.all((await readdir(kept)).map((name) => readFile(join(kept, name)))),
      );
    },
    connect,
    folder,
    stop: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
    kill,
    start,
    [Symbol.asyncDispose]: async () => {
      for (const redis of connections) redis.disconnect();
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};
