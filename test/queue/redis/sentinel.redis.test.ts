import { createClient } from 'redis';
import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import { describeWith, findProgram } from '../../helpers/describe-with.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import { freePort, type RedisServer, startRedis } from '../../helpers/redis-server.js';
import { lastValueFrom } from 'rxjs';
import { picture } from '../../helpers/emulated.js';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis5';
import { redisPorts } from '../../../src/server/queue/jobs/redis-ports.js';
import { setUp } from '../set-up.js';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const host = '127.0.0.1';

describeWith('Redis', findProgram('redis-server'), (program) => {
  /** A Sentinel that watches a server by the name `main`. */
  const startSentinel = async (server: RedisServer): Promise<number> => {
    const [folder, port] = [await mkdtemp(join(tmpdir(), 'promptwire-sentinel-')), await freePort()];
    const config = join(folder, 'sentinel.conf');
    await writeFile(
      config,
      [
        ...[
          `port ${port}`,
          `bind ${host}`,
          `dir ${folder}`,
          `sentinel monitor main ${host} ${server.port} 1`,
        ],
        ...['sentinel down-after-milliseconds main 500', 'sentinel failover-timeout main 2000'],
      ].join('\n'),
    );
    const child = spawn(program, [config, '--sentinel'], { stdio: 'ignore' });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    });
    return port;
  };

  it('Q4 runs jobs on the server that Sentinels name, and on its replica once that one is the master', async () => {
    const [first, second] = [await startRedis(program), await startRedis(program)];
    onTestFinished(() => first[Symbol.asyncDispose]());
    onTestFinished(() => second[Symbol.asyncDispose]());
    const admin = second.connect();
    await admin.call('REPLICAOF', host, first.port);
    await expect.poll(() => admin.info('replication')).toContain('master_link_status:up');
    const port = await startSentinel(first);
    const sentinel = new Redis({ port, host });
    onTestFinished(() => sentinel.disconnect());
    await expect
      .poll(async () => (await sentinel.call('SENTINEL', 'REPLICAS', 'main')) as readonly unknown[])
      .toHaveLength(1);
    const { work, common: given } = await setUp(first);
    // They may warn of the outage.
    const common = { ...given, onWarning: () => undefined };
    const account = { ...common, connection: { sentinels: [{ host, port }], name: 'main' } };
    const queue = createJobQueue(account);
    onTestFinished(() => queue.close());
    // An instance of a client that asks the Sentinels is taken as one.
    const own = new Redis5({ ...account.connection });
    own.on('error', () => undefined);
    onTestFinished(() => own.disconnect());
    const other = createJobQueue({ ...common, connection: own });
    onTestFinished(() => other.close());
    await work(account);
    expect((await lastValueFrom(queue.follow(await queue.add(picture())))).phase).toBe('completed');
    expect((await lastValueFrom(queue.follow(await other.add(picture())))).phase).toBe('completed');
    await first.kill();
    await expect.poll(() => admin.info('replication')).toContain('role:master');
    expect((await lastValueFrom(other.follow(await other.add(picture())))).phase).toBe('completed');
    const id = await queue.add(picture());
    expect((await lastValueFrom(queue.follow(id))).phase).toBe('completed');
    expect(await admin.exists(`{promptwire:${common.name}}:job:${id}`)).toBe(1);
  });
});

describeRedis(
  (server) => {
    it('Q4 refuses a server of a cluster, and writes nothing to it', async () => {
      const redis = server().connect();
      await redis.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
      await expect
        .poll(async () => String(await redis.call('CLUSTER', 'INFO')))
        .toContain('cluster_state:ok');
      const url = `redis://${host}:${server().port}`;
      for (const connection of [url, createClient({ url })]) {
        const queue = createJobQueue({ connection, name: 'q', tier: 'creator', onWarning: () => undefined });
        await expect(queue.add(picture())).rejects.toMatchObject({
          ...{ _tag: 'InvalidConfig', option: 'connection' },
          message: expect.stringContaining('a Redis Cluster') as string,
        });
        await queue.close();
        await expect(redisPorts({ connection, name: 'p' })).rejects.toMatchObject({
          ...{ _tag: 'InvalidConfig', option: 'connection' },
        });
      }
      expect(await redis.dbsize()).toBe(0);
    });
  },
  { more: { 'cluster-enabled': 'yes' } },
);

describeRedis((server) => {
  it('Q4 says why a server refuses a client of node-redis, without the password', async () => {
    const url = `redis://stranger:secret@${host}:${server().port}`;
    const queue = createJobQueue({ connection: createClient({ url }), name: 'q' });
    const error: unknown = await queue.add(picture()).catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      ...{ _tag: 'InvalidConfig', option: 'connection' },
      message: expect.stringMatching(
        /^Redis refuses the connection to 127\.0\.0\.1:\d+: .*WRONGPASS/u,
      ) as string,
    });
    expect(JSON.stringify(error)).not.toContain('secret');
  });
});
