import { aQueue, playedClient } from './a-worker.js';
import { createGateway } from '../../../src/gateway.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import type { Redis } from 'ioredis';
import { redisPorts } from '../../../src/queue.js';
import { redisJobIndex } from '../../../src/server/queue/store/redis-job-index.js';

/** A workflow of some kilobytes, of which no two are alike. */
const large = (name: string) => ({
  1: {
    class_type: 'SaveImage',
    inputs: {
      text: Array.from({ length: 1_500 }, (_, at) => `${Math.sin(at + name.length)} ${name}`).join(),
    },
  },
});

const small = { 1: { class_type: 'SaveImage', inputs: {} } };

const usedBy = async (redis: Redis): Promise<number> =>
  Number(/used_memory:(\d+)/u.exec(await redis.info('memory'))?.[1]);

/** Lets the server have so many bytes more than it uses. */
const leave = async (redis: Redis, bytes: number): Promise<void> => {
  await redis.config('SET', 'maxmemory', String((await usedBy(redis)) + bytes));
};

const unbounded = (redis: Redis) => redis.config('SET', 'maxmemory', '0');

/** How much memory is left at the first write: from none to more than a call needs, so that some run out of it midway. */
const rooms = [-1_000_000, 0, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 8_000_000] as const;

describeRedis((server) => {
  it('T6 a call that runs out of memory at whichever of its writes adds all of its jobs, or none', async () => {
    const redis = server().connect();
    const { queue } = aQueue(server());
    const kept = new Set<string>();
    const ends = new Set<string>();
    for (const room of rooms) {
      await leave(redis, room);
      const jobs = Array.from({ length: 8 }, (_, at) => ({ workflow: large(`${room} ${at}`) }));
      const made = await queue.addAll(jobs).catch((error: unknown) => {
        expect(error).toMatchObject({ _tag: 'Network', code: 'OOM', sent: false });
        return [];
      });
      ends.add(made.length === 0 ? 'refused' : 'taken');
      for (const id of made) kept.add(id);
      await unbounded(redis);
      const listed: string[] = [];
      for await (const job of queue.list()) listed.push(job.id);
      expect(new Set(listed)).toEqual(kept);
      expect((await queue.stats()).waiting).toBe(kept.size);
    }
    expect([...ends].sort()).toEqual(['refused', 'taken']);
  });

  it('T6 a submission to a gateway that runs out of memory between two writes is answered again by its key', async () => {
    const redis = server().connect();
    const { account, queue, work } = aQueue(server());
    const { service, client } = playedClient();
    await using gateway = createGateway({
      ...{ queue, authorize: () => ({ name: 'ann' }) },
      ...(await redisPorts(account)),
    });
    const post = async (key: string) => {
      const headers = { 'idempotency-key': key, 'idempotency-replay': 'true' };
      const body = JSON.stringify({ workflow: small });
      const answer = await gateway.fetch(
        new Request('http://h/api/v2/jobs', { method: 'POST', headers, body }),
      );
      return { status: answer.status, body: (await answer.json()) as { readonly id?: string } };
    };
    const ids: string[] = [];
    for (const room of rooms) {
      await leave(redis, room);
      const first = await post(`of ${room}`);
      expect([201, 202, 503]).toContain(first.status);
      await unbounded(redis);
      const again = await post(`of ${room}`);
      expect(again.status).toBeLessThan(300);
      if (first.status < 300) expect(again.body.id).toBe(first.body.id);
      ids.push(again.body.id ?? '');
    }
    expect(new Set(ids).size).toBe(rooms.length);
    // Each of them runs once.
    work(client, { tier: 2 });
    for (let at = 0; at < rooms.length; at += 1) {
      await expect.poll(() => service.submitted.length).toBeGreaterThan(at);
      service.move(service.submitted[at]!.promptId, 'completed');
    }
    await expect.poll(async () => (await queue.stats()).ended).toBe(rooms.length);
    expect(service.submitted).toHaveLength(rooms.length);
  });

  it('T7 at maxmemory what a job made is kept, and a record that can’t be read is set aside', async () => {
    const redis = server().connect();
    const name = 'out of memory';
    const index = redisJobIndex({ redis, name });
    const record = (id: string): JobRecord => ({
      ...{ id, owner: 'ann', client: 'default', createdAt: 1, expiresAt: 1e15, submissionId: `s-${id}` },
      workflow: small,
    });
    for (const id of ['whole', 'broken']) await index.add(record(id));
    await redis.hset(`{promptwire:${name}}:job:broken`, 'record', '{"cut');
    await redis.config('SET', 'maxmemory', '1');
    try {
      const image = { mediaType: 'image/png', bytes: new Uint8Array(64) };
      expect(await index.images?.put('whole', { nodeId: '1', index: 0 }, image)).toBe(true);
      expect(await index.get('broken')).toMatchObject({ unreadable: true });
      await expect.poll(() => redis.hget(`{promptwire:${name}}:damaged`, 'broken')).toBe('{"cut');
      await index.update('broken', { ended: { phase: 'failed', at: 2 } });
      expect((await index.expire(2e15)).map(({ id }) => id)).toEqual(['broken']);
      await expect(index.add(record('new'))).rejects.toThrow(/OOM/u);
      expect(await index.get('new')).toBeUndefined();
    } finally {
      await unbounded(redis);
    }
  });
});
