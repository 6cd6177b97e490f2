import { describe, expect, it, onTestFinished } from 'vitest';
import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import type { JobQueue } from '../../../src/server/queue/jobs/job-queue.js';
import { describeRedis } from '../describe-redis.js';
import { listenTo } from '../../../src/server/queue/telemetry/channels.js';
import type { QueueStepMessage } from '../../../src/server/queue/telemetry/messages.js';
import { openQueue } from '../../../src/server/queue/jobs/open-queue.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };
const intentOf = (submissionId: string) => ({
  ...{ attempt: 1, worker: 'w', submissionIds: 'none' as const, submissionId },
});

describeRedis(
  (server) => {
    let names = 0;
    /** A queue, and its parts as a worker has them. */
    const setUp = async () => {
      const account = {
        connection: { port: server().port, host: '127.0.0.1' },
        name: `jobs-${(names += 1)}`,
        onWarning: (message: string) => {
          throw new Error(message);
        },
      };
      const queue = createJobQueue(account);
      const parts = await openQueue(account);
      onTestFinished(async () => {
        await queue.close();
        await parts.close();
      });
      const take = async (turn: string) => {
        const held = await parts.store.take(turn, 'w');
        if (held === undefined) throw new Error('No job waits.');
        return held;
      };
      return { account, queue, take, ...parts };
    };
    const list = async (queue: JobQueue, options: Parameters<JobQueue['list']>[0] = {}) => {
      const all: string[] = [];
      for await (const { id, phase } of queue.list(options)) all.push(`${id} ${phase}`);
      return all;
    };

    it('M10: a cancellation says where the job was, and of one that is over how it ended', async () => {
      const { queue, store, take } = await setUp();
      for (const id of ['a', 'b', 'c', 'd']) await queue.add(workflow, { id });
      await queue.add(workflow, { id: 'e', delayMs: 60_000 });
      await take('1');
      await store.leave(await take('2'), 'ended', '', 'completed');
      await store.leave(await take('3'), 'unknown', 'lost', 'unknown');
      const before: string[] = [];
      for (const id of ['a', 'b', 'c', 'd', 'd', 'e']) before.push(await queue.cancel(id));
      expect(before).toEqual(['running', 'completed', 'unknown', 'waiting', 'cancelled', 'delayed']);
      await expect(queue.cancel('unheard of')).rejects.toMatchObject({ _tag: 'NotFound' });
    });

    describe('the decision of a person', () => {
      it('counts for no job that runs, waits or is over, whose record stays as it is', async () => {
        const { queue, store, take } = await setUp();
        for (const id of ['running', 'over', 'waiting']) await queue.add(workflow, { id });
        await store.intend(await take('1'), intentOf('s'));
        await store.leave(await take('2'), 'ended', '', 'completed');
        for (const id of ['running', 'over', 'waiting'])
          for (const decision of ['resubmit', 'forget', { promptId: 'p' }] as const)
            await expect(queue.resolve(id, decision)).rejects.toMatchObject({
              ...{ _tag: 'InvalidConfig', option: 'id' },
              message: expect.stringContaining(`The job ${id} is`) as string,
            });
        await expect(queue.resolve('unheard of', 'forget')).rejects.toMatchObject({ _tag: 'NotFound' });
        expect(await list(queue)).toEqual(['waiting waiting', 'over completed', 'running running']);
        expect((await store.get('running'))?.intent?.submissionId).toBe('s');
        expect((await store.get('running'))?.promptId).toBeUndefined();
      });

      it('names the job of the service, submits again with a turn, or ends the job without one', async () => {
        const { queue, store, take, slotTokens } = await setUp();
        for (const id of ['named', 'again', 'over', 'other']) {
          await queue.add(workflow, { id });
          const held = await take(id);
          await store.intend(held, intentOf(`s ${id}`));
          await store.leave(held, 'unknown', 'lost', 'unknown');
        }
        const before = await slotTokens.due();
        await queue.resolve('named', { promptId: 'p' });
        expect(await store.get('named')).toMatchObject({ phase: 'waiting', promptId: 'p' });
        await queue.resolve('again', 'resubmit');
        expect(await slotTokens.due()).toBe(before + 2);
        await queue.resolve('over', 'forget');
        expect(await slotTokens.due()).toBe(before + 2);
        await expect(queue.resolve('other', { promptId: 'p' })).rejects.toMatchObject({
          ...{ _tag: 'InvalidConfig', option: 'promptId' },
        });
        expect(await list(queue)).toEqual([
          'other unknown',
          'over unknown',
          'again waiting',
          'named waiting',
        ]);
      });
    });

    it('adds a job with its turn and its first event, and adds neither again for a key or an id', async () => {
      const { account, queue, slotTokens, log } = await setUp();
      const told: QueueStepMessage[] = [];
      onTestFinished(listenTo('promptwire:queue:add', (message) => void told.push(message)));
      const id = await queue.add(workflow, { tenant: 't', key: 'k' });
      expect(id).toMatch(/^[\da-f-]{36}$/u);
      expect(await queue.add(workflow, { tenant: 't', key: 'k' })).toBe(id);
      expect(await slotTokens.due()).toBe(1);
      await queue.add(workflow, { id, tenant: 't' });
      await queue.add(workflow, { id: 'late', delayMs: 60_000 });
      expect(await slotTokens.due()).toBe(1);
      const { events } = await log.read({ owner: 't', jobId: id }, undefined, 10);
      expect(events.map(({ event }) => event.type)).toEqual(['submitted']);
      expect(told).toHaveLength(4);
      expect(told[0]).toMatchObject({ queue: account.name, jobId: id, tenant: 't' });
      expect(await queue.stats()).toMatchObject({ waiting: 1, delayed: 1 });
    });

    it('lists by tenant and phase, page by page', async () => {
      const { queue, store } = await setUp();
      const slotTokens = Array.from({ length: 201 }, (_, nth) => `a${nth}`);
      for (const id of slotTokens) await store.add({ id, workflow, tenant: 'a' });
      await queue.add(workflow, { id: 'b', tenant: 'b', delayMs: 1_000, priority: 3, key: 'k' });
      expect(await list(queue)).toHaveLength(202);
      expect(await list(queue, { tenant: 'b' })).toEqual(['b delayed']);
      expect(await list(queue, { tenant: 'b', phase: 'waiting' })).toEqual([]);
      expect(await list(queue, { phase: 'waiting' })).toHaveLength(201);
      const { value: first } = await queue.list({ tenant: 'b' }).next();
      expect(first).toMatchObject({ id: 'b', tenant: 'b', priority: 3, key: 'k', phase: 'delayed' });
    });

    it('refuses what it can’t do by the name of the option, and everything once it is closed', async () => {
      const { account, queue } = await setUp();
      expect(() => createJobQueue({ ...account, name: 'a b' })).toThrow('name takes');
      expect(() => createJobQueue({ ...account, tier: 0 })).toThrow('tier takes');
      await expect(queue.setTier(1.5)).rejects.toMatchObject({ _tag: 'InvalidConfig', option: 'tier' });
      await expect(queue.setWeight('t', 0)).rejects.toMatchObject({ option: 'weight' });
      await expect(queue.cancel('unheard of')).rejects.toMatchObject({ _tag: 'NotFound' });
      await expect(queue.outputs('unheard of')).rejects.toMatchObject({ _tag: 'NotFound' });
      await queue.setTier('pro');
      expect((await queue.stats()).slots).toBe(5);
      await queue.close();
      await expect(queue.stats()).rejects.toMatchObject({ _tag: 'Closed' });
    });

    it('pauses with a reason, drains what is left, and takes jobs again once it is resumed', async () => {
      const { queue, store, take } = await setUp();
      await queue.add(workflow, { id: 'x' });
      await queue.pause();
      expect((await queue.stats()).paused).toBe('paused');
      const held = await take('x');
      const drained = queue.drain();
      await expect.poll(async () => (await queue.stats()).draining).toBe(true);
      await expect(queue.add(workflow)).rejects.toMatchObject({ _tag: 'Draining' });
      await store.leave(held, 'ended', '', 'completed');
      await drained;
      await queue.resume();
      expect(await queue.stats()).toMatchObject({ draining: false, ended: 1 });
      expect(await queue.stats()).not.toHaveProperty('paused');
      expect(await queue.add(workflow, { id: 'y' })).toBe('y');
      expect(await queue.clear()).toBe(1);
      expect(await queue.outputs('y')).toEqual({});
    });
  },
  { isDurable: true },
);
