import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeRedis } from '../describe-redis.js';
import { openQueue } from '../../../src/server/queue/jobs/open-queue.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };
const intent = { attempt: 1, worker: 'w', submissionIds: 'jobs' as const, submissionId: 's' };

/** The keys of the whole queue, and what somebody may make of each. */
const keys = [
  ...['jobs', 'keys', 'tenants', 'weights', 'open', 'delayed', 'turns', 'prompts', 'unknown', 'ended'],
  ...['seq', 'virtual', 'endedBytes', 'paused', 'draining', 'over', 'damaged', 'waiting:', 'slots'],
];

describeRedis(
  (server) => {
    let names = 0;
    const common = () => {
      const told: string[] = [];
      const name = `mended-${(names += 1)}`;
      const connection = `redis://127.0.0.1:${server().port}`;
      const options = { connection, name, onWarning: (message: string) => void told.push(message) };
      return { told, options, prefix: `{promptwire:${name}}:`, redis: server().connect() };
    };
    const opened = async () => {
      const world = common();
      const queue = await openQueue(world.options);
      onTestFinished(() => queue.close());
      return { ...world, ...queue, redis: world.redis };
    };

    /** Jobs in each phase: `held`, `known` (which the service has), `unknown`, `ended`, `late` and two that wait. */
    const filled = async () => {
      const world = await opened();
      const { store } = world;
      const begin = async (id: string) => {
        await store.add({ id, workflow, key: `key of ${id}` });
        return (await store.take(`turn of ${id}`, 'w'))!;
      };
      await store.leave(await begin('ended'), 'ended', '', 'completed');
      const unknown = await begin('unknown');
      await store.intend(unknown, { ...intent, submissionId: 'su' });
      await store.leave(unknown, 'unknown');
      await begin('held');
      const known = await begin('known');
      await store.intend(known, intent);
      await store.answered('known', 's', 'p-known');
      await store.leave(known, 'waiting');
      await store.add({ id: 'late', workflow, delayMs: 3_600_000 });
      await store.add({ id: 'first', workflow, key: 'k' });
      await store.add({ id: 'second', workflow, tenant: 'anna' });
      return world;
    };

    /** Makes a key something else than it is. */
    const spoil = async ({ redis, prefix }: Awaited<ReturnType<typeof filled>>, key: string) => {
      const before = await redis.type(`${prefix}${key}`);
      await redis.del(`${prefix}${key}`);
      const isText = ['seq', 'virtual', 'endedBytes', 'paused', 'draining', 'over', 'slots'].includes(key);
      if (isText || before === 'string') await redis.rpush(`${prefix}${key}`, 'a list');
      else await redis.set(`${prefix}${key}`, 'a text');
    };

    const counts = { waiting: 3, delayed: 1, held: 1, unknown: 1, ended: 1 };

    describe('a queue', () => {
      it.each(keys)('T9 goes on where its key %j is of another type, and loses no job', async (key) => {
        const world = await filled();
        const { redis, prefix, store, queueStore, told } = world;
        await redis.zscore(`${prefix}delayed`, 'late');
        const due = await redis.hget(`${prefix}job:late`, 'due');
        await spoil(world, key);
        expect(await store.add({ id: 'third', workflow, key: 'k3' })).toBe('third');
        expect(await store.add({ id: 'repeated', workflow, key: 'k' })).toBe('first');
        const page = await queueStore.page(99);
        expect(page.records.map(({ id }) => id).toSorted()).toEqual(
          ['ended', 'first', 'held', 'known', 'late', 'second', 'third', 'unknown'].toSorted(),
        );
        expect(await redis.zscore(`${prefix}delayed`, 'late')).toBe(due);
        expect(await queueStore.heldTokens()).toEqual(['turn of held']);
        expect(await queueStore.externalOf(['p-known', 'p-other'])).toEqual(['p-other']);
        const stats = await queueStore.stats();
        expect(stats).toMatchObject({ ...counts, waiting: 4 });
        const taken = [];
        await queueStore.setSlots(9);
        for (let at = 0; at < 5; at += 1) taken.push((await store.take(`t${at}`, 'w'))?.id);
        // The one that the service has comes first.
        expect([taken[0], taken.toSorted()]).toEqual([
          'known',
          ['first', 'known', 'second', 'third', undefined],
        ]);
        await queueStore.resolve('unknown', 'forget');
        await queueStore.prune({ count: 0, ageMs: 1e12, bytes: 1e12 });
        expect((await queueStore.stats()).ended).toBe(0);
        // Without it the sum begins anew at 0, as of old.
        if (key !== 'endedBytes') expect(await redis.get(`${prefix}endedBytes`)).toBe('0');
        if (!['slots', 'seq', 'virtual', 'endedBytes'].includes(key)) {
          expect(told).toEqual([
            expect.stringContaining(`A key of the queue ${world.options.name} held something else`),
          ]);
          expect(stats.damaged).toBe(1);
          expect(await redis.exists(`${prefix}damaged:${key}`)).toBe(1);
        }
      });

      it.each(keys)('T9 opens where its key %j is of another type', async (key) => {
        const world = await filled();
        await spoil(world, key);
        const again = await openQueue(world.options);
        onTestFinished(() => again.close());
        const whole = key === 'waiting:' ? await again.store.add({ id: 'x', workflow }) : 'x';
        expect(whole).toBe('x');
        expect(await again.queueStore.stats()).toMatchObject({
          ...counts,
          waiting: key === 'waiting:' ? 4 : 3,
          damaged: 1,
        });
        expect(world.told).toEqual([expect.stringContaining('follow the records of the jobs again')]);
      });

      it('T9 leaves nothing behind of a call that meets such a key, which follows as a whole', async () => {
        const { redis, prefix, store, queueStore, told } = await opened();
        await redis.set(`${prefix}waiting:anna`, 'a text');
        const event = { type: 'cancelRequested', at: 1 } as const;
        const job = { id: 'a', workflow, key: 'k', tenant: 'anna', events: [event] };
        expect(await store.add(job as never)).toBe('a');
        expect(await redis.xlen(`${prefix}events-of:["anna","a"]`)).toBe(1);
        expect((await store.take('t', 'w'))?.id).toBe('a');
        expect(told).toHaveLength(1);
        expect((await queueStore.stats()).damaged).toBe(1);
      });

      it('T9 looks at the keys of the whole queue alone where all is well', async () => {
        const { redis, options, told } = await filled();
        await redis.config('RESETSTAT');
        const again = await openQueue(options);
        onTestFinished(() => again.close());
        expect(await redis.info('commandstats')).not.toContain('cmdstat_scan:');
        expect(told).toEqual([]);
      });

      it('T9 tells of a call in public what it tells of the store', async () => {
        const { redis, prefix, options, told } = common();
        const queue = createJobQueue(options);
        onTestFinished(() => queue.close());
        const first = await queue.add(workflow);
        await redis.set(`${prefix}jobs`, 'a text');
        const second = await queue.add(workflow);
        const listed: string[] = [];
        for await (const { id } of queue.list()) listed.push(id);
        expect(listed).toEqual([second, first]);
        expect((await queue.stats()).damaged).toBe(1);
        expect(told).toHaveLength(1);
      });
    });
  },
  { isDurable: true },
);
