import { aQueue, playedClient } from './a-worker.js';
import { createGateway } from '../../../src/gateway.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import { freePort, type RedisServer } from '../../helpers/redis-server.js';
import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import type { Redis } from 'ioredis';
import { redisPorts } from '../../../src/queue.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };

/** A state of a server that can be reached and takes no writes, by its word for it. */
type State = readonly [
  word: string,
  begin: (redis: Redis, server: RedisServer) => Promise<unknown>,
  end: (redis: Redis) => Promise<unknown>,
];

const states: readonly State[] = [
  ['OOM', (redis) => redis.config('SET', 'maxmemory', '1'), (redis) => redis.config('SET', 'maxmemory', '0')],
  [
    'NOREPLICAS',
    (redis) => redis.config('SET', 'min-replicas-to-write', '1'),
    (redis) => redis.config('SET', 'min-replicas-to-write', '0'),
  ],
  [
    'READONLY',
    async (redis) => redis.replicaof('127.0.0.1', await freePort()),
    (redis) => redis.replicaof('NO', 'ONE'),
  ],
  [
    'MISCONF',
    async (redis, { folder }) => {
      // Nothing can be written where a folder is.
      await mkdir(join(folder, 'dump.rdb'), { recursive: true });
      await redis.config('SET', 'save', '3600 1');
      await redis.bgsave();
      await expect.poll(() => redis.info('persistence')).toContain('rdb_last_bgsave_status:err');
    },
    (redis) => redis.config('SET', 'save', ''),
  ],
];

describeRedis((server) => {
  it.each(states)(
    'Q9 says that the server takes no writes (%s), and goes on after that',
    async (...state) => {
      const [word, begin, end] = state;
      const redis = server().connect();
      const { queue, work, phaseOf } = aQueue(server());
      const { service, client } = playedClient();
      const told: string[] = [];
      const worker = work(client, { tier: 1, onWarning: (message) => void told.push(message) });
      const running = await queue.add(workflow);
      const waiting = await queue.add(workflow);
      await expect.poll(() => service.submitted.length).toBe(1);
      await worker.ready;
      told.splice(0);
      await begin(redis, server());
      try {
        await expect(queue.add(workflow)).rejects.toMatchObject({
          ...{ _tag: 'Network', code: word, sent: false, retryAfterMs: 5_000 },
          message: expect.stringMatching(new RegExp(`takes no writes now: ${word} `, 'u')) as string,
        });
        expect((await queue.stats()).refused).toMatch(word);
        expect(await worker.health()).toMatchObject({
          ready: false,
          reason: expect.stringContaining(word) as string,
        });
        expect(told).toEqual([expect.stringMatching(new RegExp(`no writes now: ${word} .*\\. [A-Z]`, 'u'))]);
        service.move(service.submitted[0]!.promptId, 'completed');
      } finally {
        await end(redis);
      }
      await expect.poll(() => phaseOf(running)).toBe('completed');
      await expect.poll(() => service.submitted.length).toBe(2);
      service.move(service.submitted[1]!.promptId, 'completed');
      await expect.poll(() => phaseOf(waiting)).toBe('completed');
      expect(await worker.health()).toMatchObject({ ready: true });
      expect(await queue.stats()).not.toHaveProperty('refused');
      expect(told.at(-1)).toMatch(/takes writes again/u);
      expect(told).toHaveLength(2);
    },
  );

  it('T7 at maxmemory the service is asked for the end of a job, and what ended is kept', async () => {
    const redis = server().connect();
    const { queue, work, phaseOf } = aQueue(server());
    const { service, client } = playedClient();
    const worker = work(client, { tier: 2 });
    const [cancelled, ended, waits] = await queue.addAll(Array(3).fill({ workflow }));
    await expect.poll(() => service.submitted.length).toBe(2);
    await worker.ready;
    await redis.config('SET', 'maxmemory', '1');
    try {
      expect(await queue.cancel(cancelled!)).toBe('running');
      await expect.poll(() => phaseOf(cancelled!)).toBe('cancelled');
      const other = service.submitted.find(({ promptId }) => !service.calls.includes(`cancel ${promptId}`));
      service.move(other!.promptId, 'completed');
      await expect.poll(() => phaseOf(ended!)).toBe('completed');
      expect(await phaseOf(waits!)).toBe('waiting');
      expect(await queue.cancel(waits!)).toBe('waiting');
      expect(await phaseOf(waits!)).toBe('cancelled');
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
  });

  it('T7 at maxmemory a gateway refuses new work with 503, and answers what is known', async () => {
    const redis = server().connect();
    const { account, queue } = aQueue(server());
    await using gateway = createGateway({
      ...{ queue, authorize: () => ({ name: 'ann' }) },
      ...(await redisPorts(account)),
    });
    const post = () =>
      gateway.fetch(
        new Request('http://h/api/v2/jobs', { method: 'POST', body: JSON.stringify({ workflow }) }),
      );
    const { id } = (await (await post()).json()) as { readonly id: string };
    await redis.config('SET', 'maxmemory', '1');
    try {
      const refused = await post();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect((await gateway.fetch(new Request(`http://h/api/v2/jobs/${id}`))).status).toBe(200);
      expect((await gateway.fetch(new Request('http://h/readyz'))).status).toBe(503);
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
  });

  it('T7 at maxmemory a queue and a worker begin, and the worker takes up its work once there is memory', async () => {
    const redis = server().connect();
    const { queue, work, phaseOf } = aQueue(server());
    const { service, client } = playedClient();
    // The scripts are none that the server knows: one that begins loads them.
    await redis.script('FLUSH');
    await redis.config('SET', 'maxmemory', '1');
    try {
      expect((await queue.stats()).refused).toMatch('OOM');
      const worker = work(client, { tier: 1 });
      await expect.poll(async () => (await worker.health()).reason).toMatch('OOM');
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
    const id = await queue.add(workflow);
    await expect.poll(() => service.submitted.length).toBe(1);
    service.move(service.submitted[0]!.promptId, 'completed');
    await expect.poll(() => phaseOf(id)).toBe('completed');
  });

  it('Q9 says of a server that stands still that it does not answer, and takes up its work when it goes on', async () => {
    const { account, queue, work, phaseOf } = aQueue(server());
    const { service, client } = playedClient();
    const connection = { host: '127.0.0.1', port: server().port, socketTimeout: 700 };
    const worker = work(client, { connection, name: account.name });
    await worker.ready;
    const running = await queue.add(workflow);
    await expect.poll(() => service.submitted.length).toBe(1);
    server().stop();
    try {
      expect(await worker.health()).toMatchObject({ ready: false, reason: expect.any(String) as string });
    } finally {
      server().goOn();
    }
    await expect.poll(async () => (await worker.health()).ready).toBe(true);
    service.move(service.submitted[0]!.promptId, 'completed');
    await expect.poll(() => phaseOf(running)).toBe('completed');
    expect(service.submitted).toHaveLength(1);
  });
});
