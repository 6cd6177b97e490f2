import { expect, it } from 'vitest';
import type { QueueChange } from '../../../src/queue.js';
import { describeRedis } from '../describe-redis.js';
import { openWorld } from './open-world.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };

describeRedis(
  (server) => {
    it('Q8: adds many jobs in one step, in their order, each key and id once', async () => {
      const { queue, slotTokens, list } = await openWorld(server());
      await queue.add(workflow, { id: 'old', tenant: 't', key: 'used' });
      const ids = await queue.addAll([
        { workflow, id: 'a', tenant: 't' },
        { workflow, tenant: 't', key: 'used' },
        { workflow, id: 'b', tenant: 't', key: 'new' },
        { workflow, id: 'c', tenant: 't', key: 'new' },
        { workflow, id: 'd', delayMs: 60_000, priority: 2 },
      ]);
      expect(ids).toEqual(['a', 'old', 'b', 'b', 'd']);
      expect(await list()).toEqual(['d delayed', 'b waiting', 'a waiting', 'old waiting']);
      // They follow the answer.
      await expect.poll(() => slotTokens.due()).toBe(3);
      expect(await queue.addAll([{ workflow, id: 'a' }])).toEqual(['a']);
      expect(await slotTokens.due()).toBe(3);
    });

    it('Q8: adds none where one is refused, where the queue drains, or where the server has no memory', async () => {
      const { account, queue, open, list } = await openWorld(server());
      const many = ['x', 'y', 'z'].map((id) => ({ id, workflow }));
      const secret = { id: 's', workflow, extraData: { api_key_comfy_org: 'key' } };
      await expect(queue.addAll([...many, secret])).rejects.toMatchObject({
        ...{ _tag: 'InvalidConfig', option: 'extraData' },
        message: expect.stringContaining('Job 4 of 4') as string,
      });
      const small = open({ ...account, maxWorkflowBytes: 20 });
      await expect(small.addAll(many)).rejects.toMatchObject({ _tag: 'TooLarge' });
      await queue.drain();
      await expect(queue.addAll(many)).rejects.toMatchObject({ _tag: 'Draining' });
      await queue.resume();
      expect(await list()).toEqual([]);
      expect(await queue.addAll(many)).toEqual(['x', 'y', 'z']);
    });

    it('Q8: takes as many round trips for many jobs as for one', async () => {
      const { queue, redis } = await openWorld(server());
      await queue.stats();
      const packets = async () => Number(/total_reads_processed:(\d+)/u.exec(await redis.info('stats'))?.[1]);
      const before = await packets();
      await queue.addAll(Array.from({ length: 500 }, () => ({ workflow })));
      // What 500 calls would take is more than the pieces that jobs and slot tokens come in.
      expect((await packets()) - before).toBeLessThan(100);
      expect((await queue.stats()).waiting).toBe(500);
    });

    it('M10: all changes of a queue: what it has, each change, and how full it is', async () => {
      const { queue, store, queueStore, take } = await openWorld(server());
      await queue.addAll([
        { workflow, id: 'a' },
        { workflow, id: 'b', delayMs: 60_000 },
      ]);
      const seen: string[] = [];
      const told = (change: QueueChange): string => {
        if (change.type === 'forgotten') return `${change.id} forgotten`;
        if (change.type === 'stats') return `${change.stats.waiting} waiting, ${change.stats.held} held`;
        const { id, phase, progress } = change.job;
        return `${id} ${phase}${progress === undefined ? '' : ` ${String(progress.progress)}`}`;
      };
      let isDone = false;
      queue.changes().subscribe({ next: (one) => seen.push(told(one)), complete: () => (isDone = true) });
      await expect.poll(() => seen).toEqual(['b delayed', 'a waiting', '1 waiting, 0 held']);
      const held = await take('a');
      await expect.poll(() => seen).toContain('a running');
      await queueStore.progress(held, { nodes: {}, progress: 0.5 });
      await expect.poll(() => seen).toContain('a running 0.5');
      await queue.add(workflow, { id: 'c' });
      await expect.poll(() => seen).toContain('c waiting');
      await store.leave(held, 'ended', '', 'completed');
      await expect.poll(() => seen).toContain('a completed');
      await queue.cancel('b');
      await expect.poll(() => seen).toContain('b cancelled');
      await queueStore.prune({ count: 0, ageMs: 1e9, bytes: 1e9 });
      await expect.poll(() => seen.filter((one) => one.endsWith('forgotten'))).toHaveLength(2);
      await expect.poll(() => seen.at(-1)).toBe('1 waiting, 0 held');
      expect(new Set(seen.filter((one) => !/held/u.test(one))).size).toBe(
        seen.filter((one) => !/held/u.test(one)).length,
      );
      await queue.close();
      expect(isDone).toBe(true);
    });
  },
  { isDurable: true },
);
