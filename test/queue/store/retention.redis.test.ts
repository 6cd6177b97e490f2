import { expect, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { redisQueueStore } from '../../../src/server/queue/store/redis-queue-store.js';
import { describeRedis } from '../describe-redis.js';
import { setUp } from '../set-up.js';
import type { Workflow } from 'promptwire';

const forever = { count: 1_000, ageMs: 1e12, bytes: 1e12 };

/** A workflow of some 30 kB that can't be compressed. */
const large = (): Workflow => ({
  1: { class_type: 'A', inputs: { noise: randomBytes(30_000).toString('base64') } },
});

describeRedis(
  (server) => {
    it.each([
      ['by number', { count: 2 }, 2],
      ['by age', { ageMs: 0 }, 0],
      ['by bytes', { bytes: 100_000 }, 3],
      ['not at all', {}, 5],
    ] as const)('bounds the jobs that are over: %s', async (_, retention, kept) => {
      const { queue, common } = await setUp(server());
      for (let nth = 0; nth < 5; nth += 1) await queue.add(large());
      expect(await queue.clear()).toBe(5);
      const waiting = await queue.add(large());
      const redis = server().connect();
      const queueStore = redisQueueStore({ redis, name: common.name });
      await queueStore.prune({ ...forever, ...retention });
      const listed: string[] = [];
      for await (const { id } of queue.list()) listed.push(id);
      expect(listed[0]).toBe(waiting);
      expect(listed.slice(1)).toHaveLength(kept);

      await queueStore.prune({ ...forever, count: 0 });
      await queue.clear();
      await queueStore.prune({ ...forever, count: 0 });
      const prefix = `{promptwire:${common.name}}:`;
      expect(await redis.get(`${prefix}endedBytes`)).toBe('0');
      const left = await redis.keys(`${prefix}*:${waiting}*`);
      expect(left.filter((key) => !key.startsWith(`${prefix}engine:`))).toEqual([]);
    });

    it('Q3 keeps no key of a job that is forgotten, also not one of a later call with the id', async () => {
      const { queue, common } = await setUp(server());
      const add = (key: string, id = 'x') => queue.add(large(), { id, key, tenant: 't' });
      expect(await add('first')).toBe('x');
      // A key belongs to the call that added the job.
      expect(await add('second')).toBe('x');
      expect(await add('second', 'y')).toBe('y');
      expect(await add('first', 'z')).toBe('x');
      expect(await queue.clear()).toBe(2);
      const redis = server().connect();
      await redisQueueStore({ redis, name: common.name }).prune({ ...forever, count: 0 });
      expect(await redis.exists(`{promptwire:${common.name}}:keys`)).toBe(0);
      expect(await add('first', 'z')).toBe('z');
    });
  },
  { isDurable: true },
);
