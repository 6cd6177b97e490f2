import { describe, expect, it } from 'vitest';
import { describeRedis } from '../../describe-redis.js';
import type { LifecycleEvent } from '../../../../src/core/events/job-log-event.js';
import type { NewJob } from '../../../../src/server/queue/store/job-store.js';
import { redisEventLog } from '../../../../src/server/queue/store/redis-event-log.js';
import { redisJobStore } from '../../../../src/server/queue/store/redis-job-store.js';
import { redisQueueStore } from '../../../../src/server/queue/store/redis-queue-store.js';
import { storeClock } from '../../../../src/server/queue/store/store-clock.js';

const forever = { count: 1_000, ageMs: 1e12, bytes: 1e12 };
const intentOf = (submissionId: string, attempt = 1) => ({
  ...{ attempt, worker: 'a', submissionIds: 'none' as const, submissionId },
});
const submitted = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });

describeRedis((server) => {
  let names = 0;
  const open = () => {
    const name = `jobs ${(names += 1)}`;
    const redis = server().connect();
    const store = redisJobStore({ redis, name, time: storeClock(() => 0) });
    const queueStore = redisQueueStore({ redis, name });
    const log = redisEventLog({ redis, name });
    const prefix = `{promptwire:${name}}:`;
    const add = (id: string, more: Partial<NewJob> = {}) => store.add({ id, workflow: {}, ...more });
    const take = async (turn: string, worker = 'a') => {
      const held = await store.take(turn, worker);
      if (held === undefined) throw new Error(`No job waits for the turn ${turn}.`);
      return held;
    };
    const counts = async () => {
      const { waiting, delayed, held, unknown, ended } = await queueStore.stats();
      return { waiting, delayed, held, unknown, ended };
    };
    const phaseOf = async (id: string) => (await store.get(id))?.phase;
    const logged = async (jobId: string, owner = '') =>
      (await log.read({ owner, jobId }, undefined, 100)).events.map(({ event }) =>
        event.type === 'status' ? event.status.phase : event.type,
      );
    return { redis, store, queueStore, log, prefix, add, take, counts, phaseOf, logged };
  };
  const none = { waiting: 0, delayed: 0, held: 0, unknown: 0, ended: 0 };

  describe('adding', () => {
    it('makes one waiting job of a call that is sent twice, with its first events once', async () => {
      const { add, store, counts, logged, redis, prefix } = open();
      const events = [submitted(1), submitted(2)];
      expect(await add('x', { events, tenant: 't' })).toBe('x');
      expect(await add('x', { events, tenant: 't' })).toBe('x');
      expect(await counts()).toEqual({ ...none, waiting: 1 });
      expect(await logged('x', 't')).toHaveLength(2);
      expect(await redis.get(`${prefix}seq`)).toBe('1');
      expect(await store.get('x')).toMatchObject({ priority: 0, phase: 'waiting', tenant: 't' });
      expect((await store.get('x'))?.createdAt).toBeGreaterThan(Date.now() - 60_000);
      expect((await store.get('x'))?.createdAt).toBeLessThan(Date.now() + 60_000);
    });

    it('keeps what a worker sends, of the first call of an id', async () => {
      const { add, store } = open();
      const stored = { workflow: { 1: { class_type: 'A', inputs: { seed: 1 } } }, extraData: { a: 'b' } };
      await add('x', stored);
      await add('x', { workflow: {} });
      expect(await store.workflow('x')).toEqual(stored);
    });

    it('gives the first job of a key of the tenant, and its key with the job', async () => {
      const { add, store, counts } = open();
      expect(await add('x', { key: 'k' })).toBe('x');
      expect(await add('y', { key: 'k' })).toBe('x');
      expect(await add('z', { key: 'k', tenant: 'u' })).toBe('z');
      expect(await add('u', { key: 'l' })).toBe('u');
      expect(await store.get('y')).toBeUndefined();
      expect((await store.get('x'))?.key).toBe('k');
      expect(await counts()).toEqual({ ...none, waiting: 3 });
    });

    it('takes none while the queue drains, and says so in its statistics', async () => {
      const { add, queueStore, store } = open();
      await queueStore.setDraining(true);
      expect((await queueStore.stats()).draining).toBe(true);
      expect(await add('x', { key: 'k' })).toBeUndefined();
      expect(await store.get('x')).toBeUndefined();
      await queueStore.setDraining(false);
      expect((await queueStore.stats()).draining).toBe(false);
      expect(await add('y', { key: 'k' })).toBe('y');
    });

    it('keeps a delayed job apart until its own turn, and finds it overdue only once its time is past', async () => {
      const { add, take, counts, queueStore, store, redis, prefix } = open();
      await add('late', { delayMs: 60_000 });
      expect(await counts()).toEqual({ ...none, delayed: 1 });
      const dueAt = Number(await redis.zscore(`${prefix}delayed`, 'late'));
      expect(dueAt).toBe(((await store.get('late'))?.createdAt ?? 0) + 60_000);
      expect(await queueStore.overdue(0)).toEqual([]);
      expect(await queueStore.overdue(-61_000)).toEqual(['late']);
      expect(await store.take('other', 'a')).toBeUndefined();
      expect((await take('late')).id).toBe('late');
      expect(await counts()).toEqual({ ...none, held: 1 });
      expect(await queueStore.overdue(-61_000)).toEqual([]);
    });
  });

  describe('taking and leaving', () => {
    it('gives no other job to a turn that has one, and the next one after it was left', async () => {
      const { add, take, queueStore, counts, store } = open();
      for (const id of ['x', 'y']) await add(id);
      const first = await take('t');
      expect(first).toMatchObject({ id: 'x', fence: 1, record: {} });
      expect(await store.get('x')).toMatchObject({ phase: 'held', worker: 'a' });
      expect(await queueStore.heldTokens()).toEqual(['t']);
      const second = await take('t', 'b');
      expect(second).toMatchObject({ id: 'x', fence: 2, job: { worker: 'b' } });
      expect(await store.leave(first, 'ended', 'late')).toBe(false);
      expect(await store.leave(second, 'ended', 'over', 'completed')).toBe(true);
      expect(await store.leave(second, 'ended', 'again')).toBe(false);
      const over = await store.get('x');
      expect(over).toMatchObject({ phase: 'ended', reason: 'over', outcome: 'completed' });
      expect(over).not.toHaveProperty('worker');
      expect(over?.endedAt).toBeGreaterThanOrEqual(over?.createdAt ?? Infinity);
      expect(await counts()).toEqual({ ...none, waiting: 1, ended: 1 });
      expect(await queueStore.heldTokens()).toEqual([]);
      expect((await take('t', 'c')).id).toBe('y');
      expect(await store.take('more', 'a')).toBeUndefined();
      expect(await queueStore.heldTokens()).toEqual(['t']);
    });

    it('calls a job failed that is left as over without a word on how', async () => {
      const { add, take, store } = open();
      await add('x');
      await store.leave(await take('t'), 'ended', 'why');
      expect(await store.get('x')).toMatchObject({ phase: 'ended', reason: 'why', outcome: 'failed' });
    });

    it('adds none of several jobs where one names a file that the queue has not got, and says which', async () => {
      const { store } = open();
      const jobs = ['a', 'b', 'c'].map((id) => ({ id, workflow: {}, ...(id === 'b' && { files: ['h'] }) }));
      await expect(store.addAll(jobs)).rejects.toMatchObject({
        _tag: 'NotFound',
        message: expect.stringMatching(/^Job 2 of 3, so none was added: .*promptwire-h/u) as string,
      });
      expect(await store.get('a')).toBeUndefined();
    });

    it('gives nothing to a worker whose lock on the turn is over, or another one’s', async () => {
      const { add, store, redis, prefix, counts } = open();
      await add('x');
      const lock = (token: string) => ({ key: `${prefix}a lock`, token });
      expect(await store.take('x', 'a', lock('of a'))).toBeUndefined();
      await redis.set(`${prefix}a lock`, 'of b');
      expect(await store.take('x', 'a', lock('of a'))).toBeUndefined();
      expect(await counts()).toEqual({ ...none, waiting: 1 });
      expect((await store.take('x', 'b', lock('of b')))?.fence).toBe(1);
    });

    it('gives no more jobs at once than there are slots, less those of other programs', async () => {
      const { add, take, store, queueStore } = open();
      for (const id of ['a', 'b', 'c', 'd']) await add(id);
      await queueStore.setSlots(2);
      const first = await take('t1');
      await take('t2');
      expect(await store.take('t3', 'a')).toBeUndefined();
      // A slot token that has a job keeps it, and needs no further slot.
      expect((await take('t1', 'b')).id).toBe('a');
      await store.leave({ ...first, fence: 2 }, 'ended');
      await queueStore.setExternal(1, 60_000);
      expect(await store.take('t3', 'a')).toBeUndefined();
      await queueStore.setExternal(0, 60_000);
      expect((await take('t3')).id).toBe('c');
      expect(await store.take('t4', 'a')).toBeUndefined();
    });

    it('counts the slot of a token once, also where that token had a job before', async () => {
      const { add, take, queueStore, redis, prefix } = open();
      await add('a');
      await queueStore.setSlots(1);
      await redis.hset(`${prefix}turns`, 't', 'a job that is gone');
      expect((await take('t')).id).toBe('a');
    });

    it('counts by the slots of the worker where the server has lost how many there are', async () => {
      const { add, store, queueStore } = open();
      for (const id of ['a', 'b']) await add(id);
      expect((await store.take('t1', 'a', undefined, 1))?.id).toBe('a');
      expect(await store.take('t2', 'a', undefined, 1)).toBeUndefined();
      await queueStore.setSlots(2);
      expect((await store.take('t2', 'a', undefined, 1))?.id).toBe('b');
    });

    it('takes the job with the highest priority of a tenant, and what the service may have before all', async () => {
      const { add, take, store } = open();
      for (const [id, priority] of [
        ['a', 0],
        ['b', 5],
        ['c', 5],
        ['d', -1],
      ] as const)
        await add(id, { priority });
      const first = await take('1');
      await store.intend(first, intentOf('s'));
      const second = await take('2');
      await store.leave(second, 'waiting');
      await store.leave(first, 'waiting');
      const order: string[] = [];
      for (const turn of ['1', '2', '3', '4']) order.push((await take(turn)).id);
      expect([first.id, order]).toEqual(['b', ['b', 'c', 'a', 'd']]);
    });

    it('puts a job that waits again at its age, before the younger ones', async () => {
      const { add, take, store, counts } = open();
      for (const id of ['x', 'y', 'z']) await add(id);
      const held = await take('1');
      expect(await store.leave(held, 'waiting')).toBe(true);
      expect(await counts()).toEqual({ ...none, waiting: 3 });
      expect([(await take('1')).id, (await take('2')).id, (await take('3')).id]).toEqual(['x', 'y', 'z']);
      expect(await store.take('4', 'a')).toBeUndefined();
    });

    it('forgets the turn of a job that is not held any more', async () => {
      const { add, take, store, redis, prefix, queueStore } = open();
      await add('x');
      await take('t');
      // As where a script of an earlier release left it.
      await redis.hset(`${prefix}job:x`, 'phase', 'ended');
      expect(await store.take('t', 'b')).toBeUndefined();
      expect(await queueStore.heldTokens()).toEqual([]);
    });

    it('takes turns by tenants, the one that waits longest next, and lets a new one begin at the present', async () => {
      const { add, take } = open();
      for (const tenant of ['a', 'b']) for (const nth of [1, 2, 3]) await add(`${tenant}${nth}`, { tenant });
      const order: string[] = [];
      for (const turn of ['1', '2', '3']) order.push((await take(turn)).id);
      for (const nth of [1, 2]) await add(`c${nth}`, { tenant: 'c' });
      for (const turn of ['4', '5', '6', '7', '8']) order.push((await take(turn)).id);
      // A tenant that comes late has no slot tokens to catch up on.
      expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'c1', 'c2']);
    });

    it('gives a tenant of twice the weight two jobs for one', async () => {
      const { add, take, store } = open();
      await store.setWeight('heavy', 2);
      for (const tenant of ['heavy', 'light'])
        for (let nth = 0; nth < 12; nth += 1) await add(`${tenant} ${nth}`, { tenant });
      const taken: string[] = [];
      for (let nth = 0; nth < 12; nth += 1) taken.push((await take(`${nth}`)).job.tenant);
      expect(taken.filter((tenant) => tenant === 'heavy')).toHaveLength(8);
    });
  });

  describe('the submission of a job', () => {
    it('has its moment by the server’s clock, and keeps that of the first attempt of an id', async () => {
      const { add, take, store, redis, prefix } = open();
      await add('x');
      const held = await take('x');
      const first = await store.intend(held, intentOf('s'));
      expect(first).toEqual({ ...intentOf('s'), at: first?.at, since: first?.at });
      const [seconds] = await redis.time();
      expect(Math.abs((first?.at ?? 0) / 1000 - Number(seconds))).toBeLessThan(60);
      // Some time passes.
      const earlier = JSON.stringify({ ...first, at: 5, since: 5 });
      await redis.hset(`${prefix}job:x`, 'intent', earlier);
      const again = await store.intend(held, intentOf('s', 2));
      expect(again).toMatchObject({ since: 5, attempt: 2 });
      expect(again?.at).toBeGreaterThanOrEqual(first?.at ?? Infinity);
      const anew = await store.intend(held, intentOf('r', 3));
      expect(anew?.since).toBe(anew?.at);
      expect((await store.get('x'))?.intent).toEqual(anew);
    });

    it('is intended by the holder alone', async () => {
      const { add, take, store } = open();
      await add('x');
      const first = await take('x');
      const second = await take('x', 'b');
      expect(await store.intend(first, intentOf('s'))).toBeUndefined();
      expect((await store.get('x'))?.intent).toBeUndefined();
      await store.leave(second, 'waiting');
      expect(await store.intend(second, intentOf('s'))).toBeUndefined();
      const third = await take('x', 'a');
      expect(await store.intend(first, intentOf('s'))).toBeUndefined();
      expect(await store.intend(third, intentOf('s'))).toBeDefined();
    });

    it('keeps an answer that is late, of its own submission only, and one job of the service for one job', async () => {
      const { add, take, store } = open();
      for (const id of ['x', 'y']) await add(id);
      const [x, y] = [await take('x'), await take('y')];
      expect(await store.answered('x', 's', 'p')).toBeUndefined();
      await store.intend(x, intentOf('s'));
      await store.intend(y, intentOf('r'));
      await take('x', 'b');
      expect(await store.answered('x', 'another', 'p')).toBeUndefined();
      expect(await store.answered('x', 's', 'p')).toBe('p');
      expect(await store.answered('x', 's', 'q')).toBe('p');
      expect(await store.answered('y', 'r', 'p')).toBeUndefined();
      expect((await store.get('y'))?.promptId).toBeUndefined();
      expect((await store.get('x'))?.phase).toBe('held');
      expect(await store.unclaimed('y', ['p', 'q'])).toEqual(['q']);
      expect(await store.unclaimed('y', [])).toEqual([]);
    });

    it('has a job that was given up wait again once its answer comes', async () => {
      const { add, take, store, counts } = open();
      await add('x');
      const held = await take('x');
      await store.intend(held, intentOf('s'));
      await store.leave(held, 'unknown', 'lost', 'unknown');
      expect(await counts()).toEqual({ ...none, unknown: 1 });
      expect(await store.answered('x', 's', 'p')).toBe('p');
      expect(await counts()).toEqual({ ...none, waiting: 1 });
      const now = await store.get('x');
      expect(now).toMatchObject({ phase: 'waiting', promptId: 'p' });
      for (const name of ['reason', 'outcome', 'endedAt']) expect(now).not.toHaveProperty(name);
    });

    it('is forgotten where it was refused: this attempt of it, and none that has an answer', async () => {
      const { add, take, store } = open();
      await add('x');
      const held = await take('x');
      await store.refused('x', { submissionId: 's', attempt: 1 });
      await store.intend(held, intentOf('s', 2));
      await store.refused('x', { submissionId: 'r', attempt: 2 });
      await store.refused('x', { submissionId: 's', attempt: 1 });
      expect((await store.get('x'))?.intent?.attempt).toBe(2);
      await store.refused('x', { submissionId: 's', attempt: 2 });
      expect((await store.get('x'))?.intent).toBeUndefined();
      await store.intend(held, intentOf('t'));
      await store.answered('x', 't', 'p');
      await store.refused('x', { submissionId: 't', attempt: 1 });
      expect((await store.get('x'))?.intent?.submissionId).toBe('t');
    });
  });

  describe('cancelling', () => {
    it.each(['waiting', 'delayed'] as const)(
      'ends a job that is %s, and logs the request and its end',
      async (phase) => {
        const { add, store, counts, logged } = open();
        await add('x', { tenant: 't', ...(phase === 'delayed' && { delayMs: 1_000 }) });
        await add('y', { tenant: 't' });
        expect(await store.cancel('x')).toBe(phase);
        expect(await store.get('x')).toMatchObject({
          phase: 'ended',
          reason: 'cancelled',
          outcome: 'cancelled',
        });
        expect((await store.get('x'))?.endedAt).toBeGreaterThan(0);
        expect(await counts()).toEqual({ ...none, waiting: 1, ended: 1 });
        expect(await logged('x', 't')).toEqual(['cancelRequested', 'cancelled']);
        expect(await store.cancel('x')).toBe('ended');
        expect(await logged('x', 't')).toEqual(['cancelRequested', 'cancelled']);
      },
    );

    it('tells the worker of a job that is held, or that waits again and that the service may have', async () => {
      const { add, take, store, counts, logged, prefix } = open();
      const listener = server().connect();
      const told: string[] = [];
      listener.on('message', (_, id: string) => told.push(id));
      await listener.subscribe(`${prefix}cancel`);
      for (const id of ['held', 'intended', 'answered', 'free']) await add(id);
      const [held, intended, answered, free] = [
        await take('1'),
        await take('2'),
        await take('3'),
        await take('4'),
      ];
      await store.intend(intended, intentOf('s'));
      await store.intend(answered, intentOf('r'));
      await store.answered('answered', 'r', 'p');
      // An answer stays true where its intent is gone.
      for (const job of [intended, answered, free]) await store.leave(job, 'waiting');
      expect(await store.cancel('held')).toBe('held');
      for (const id of ['intended', 'answered', 'free']) expect(await store.cancel(id)).toBe('waiting');
      await listener.ping();
      expect(told).toEqual(['held', 'intended', 'answered']);
      const wishedAt = (await store.get('intended'))?.cancelRequestedAt;
      expect(wishedAt).toBeGreaterThan(0);
      expect(await counts()).toEqual({ ...none, waiting: 2, held: 1, ended: 1 });
      expect(await store.cancel('intended')).toBe('waiting');
      expect(await Promise.all(['held', 'intended', 'free'].map((id) => logged(id)))).toEqual([
        ['cancelRequested'],
        ['cancelRequested'],
        ['cancelRequested', 'cancelled'],
      ]);
      expect((await take('2', 'b')).job.cancelRequestedAt).toBe(wishedAt);
      expect(await store.leave(held, 'ended', '', 'cancelled')).toBe(true);
      expect(await store.cancel('unheard of')).toBeUndefined();
    });

    it('leaves alone a job that a person has to decide on', async () => {
      const { add, take, store, phaseOf } = open();
      await add('x');
      await store.leave(await take('x'), 'unknown', 'lost', 'unknown');
      expect(await store.cancel('x')).toBe('unknown');
      expect(await phaseOf('x')).toBe('unknown');
    });
  });

  describe('the decision on a job', () => {
    it('counts for a job that is unknown, and changes none that runs, waits or is over', async () => {
      const { add, take, store, queueStore, counts, phaseOf } = open();
      for (const id of ['running', 'over', 'waiting']) await add(id);
      const running = await take('1');
      await store.intend(running, intentOf('s'));
      await store.leave(await take('2'), 'ended', '', 'completed');
      for (const id of ['running', 'over', 'waiting', 'unheard of'])
        for (const decision of ['resubmit', 'forget'] as const) await queueStore.resolve(id, decision);
      expect(await counts()).toEqual({ ...none, waiting: 1, held: 1, ended: 1 });
      expect([await phaseOf('running'), await phaseOf('over')]).toEqual(['held', 'ended']);
      expect((await store.get('running'))?.intent?.submissionId).toBe('s');
      expect(await store.leave(running, 'waiting')).toBe(true);
    });

    it('has a job submitted again without its intent, or ends it', async () => {
      const { add, take, store, queueStore, counts, redis, prefix } = open();
      for (const id of ['x', 'y']) {
        await add(id);
        const held = await take(id);
        await store.intend(held, intentOf(`s ${id}`));
        await store.leave(held, 'unknown', 'lost', 'unknown');
      }
      await queueStore.resolve('x', 'resubmit');
      await queueStore.resolve('y', 'forget');
      expect(await counts()).toEqual({ ...none, waiting: 1, ended: 1 });
      const again = await store.get('x');
      expect(again).toMatchObject({ phase: 'waiting' });
      for (const name of ['reason', 'outcome', 'endedAt', 'intent']) expect(again).not.toHaveProperty(name);
      expect(await store.get('y')).toMatchObject({ phase: 'ended', reason: 'lost', outcome: 'unknown' });
      expect(Number(await redis.zscore(`${prefix}ended`, 'y'))).toBeGreaterThan(Date.now() - 60_000);
      expect((await take('x')).record).toEqual({ intent: undefined, promptId: undefined });
    });
  });

  describe('progress', () => {
    it('is kept and published by the holder alone', async () => {
      const { add, take, store, queueStore, prefix } = open();
      const listener = server().connect();
      const told: string[] = [];
      listener.on('message', (_, text: string) => told.push(text.slice(0, 2)));
      await listener.subscribe(`${prefix}progress`);
      await add('x');
      const first = await take('x');
      const second = await take('x', 'b');
      const progress = (value: number) => ({ nodes: {}, progress: value });
      await queueStore.progress(first, progress(0.1));
      expect(await queueStore.latestProgress('x')).toBeUndefined();
      await queueStore.progress(second, progress(0.2));
      expect((await queueStore.latestProgress('x'))?.progress).toBe(0.2);
      await store.leave(second, 'ended');
      await queueStore.progress(second, progress(0.3));
      expect((await queueStore.latestProgress('x'))?.progress).toBe(0.2);
      await listener.ping();
      expect(told).toEqual(['x ']);
    });
  });

  describe('the queue as a whole', () => {
    it('counts nothing where nothing is, has one slot, and tells why it is paused', async () => {
      const { queueStore, redis, prefix } = open();
      expect(await queueStore.stats()).toEqual({
        ...none,
        draining: false,
        slots: 1,
        external: 0,
        damaged: 0,
      });
      const listener = server().connect();
      let resumed = 0;
      listener.on('message', () => (resumed += 1));
      await listener.subscribe(`${prefix}resumed`);
      await queueStore.setPaused('for a while');
      await queueStore.setSlots(7);
      await queueStore.setExternal(2, 60_000);
      expect(await queueStore.stats()).toEqual({
        ...{ ...none, draining: false, slots: 7, external: 2, damaged: 0, paused: 'for a while' },
      });
      expect(await redis.pttl(`${prefix}foreign`)).toBeGreaterThan(50_000);
      expect(await redis.pttl(`${prefix}foreign`)).toBeLessThanOrEqual(60_000);
      await queueStore.setPaused(undefined);
      expect(await queueStore.stats()).not.toHaveProperty('paused');
      await listener.ping();
      expect(resumed).toBe(1);
    });

    it('counts the jobs of all tenants, and those that the service may have', async () => {
      const { add, take, store, counts } = open();
      for (const tenant of ['a', 'b']) for (const nth of [1, 2]) await add(`${tenant}${nth}`, { tenant });
      const held = await take('1');
      await store.intend(held, intentOf('s'));
      await store.leave(held, 'waiting');
      expect(await counts()).toEqual({ ...none, waiting: 4 });
    });

    it('knows whose jobs of the service are foreign', async () => {
      const { add, take, store, queueStore } = open();
      await add('x');
      await store.intend(await take('x'), intentOf('s'));
      await store.answered('x', 's', 'p');
      expect(await queueStore.externalOf(['p', 'q'])).toEqual(['q']);
      expect(await queueStore.externalOf([])).toEqual([]);
    });

    it('gives pages of its jobs, the newest first, and goes on by the rank of one that was pruned since', async () => {
      const { add, store, queueStore } = open();
      for (const id of ['1', '2', '3', '4', '5']) await add(id);
      const page = async (limit: number, before?: string) => {
        const { records, next } = await queueStore.page(limit, before);
        return { ids: records.map(({ id }) => id), next };
      };
      const first = await page(2);
      expect(first.ids).toEqual(['5', '4']);
      for (const id of ['4', '3']) await store.cancel(id);
      await queueStore.prune({ count: 0, ageMs: 0, bytes: 0 });
      expect(await page(2, first.next)).toMatchObject({ ids: ['2', '1'] });
      const last = await page(2, (await page(2, first.next)).next);
      expect(last).toEqual({ ids: [], next: undefined });
    });

    it('ends all that waits and that the service has not, of all tenants, and logs each end', async () => {
      const { add, take, store, queueStore, counts, logged, phaseOf } = open();
      for (const id of ['held', 'open']) await add(id);
      await take('1');
      const intended = await take('2');
      await store.intend(intended, intentOf('s'));
      await store.leave(intended, 'waiting');
      for (let nth = 0; nth < 205; nth += 1) await add(`a${nth}`, { tenant: 'a' });
      for (let nth = 0; nth < 3; nth += 1) await add(`b${nth}`, { tenant: 'b' });
      for (let nth = 0; nth < 4; nth += 1) await add(`d${nth}`, { tenant: 'b', delayMs: 1_000 });
      expect(await queueStore.clear()).toBe(212);
      expect(await counts()).toEqual({ ...none, waiting: 1, held: 1, ended: 212 });
      expect(await logged('a204', 'a')).toEqual(['cancelled']);
      expect(await logged('d0', 'b')).toEqual(['cancelled']);
      const over = await store.get('b2');
      expect(over).toMatchObject({ phase: 'ended', reason: 'cleared', outcome: 'cancelled' });
      expect(over?.endedAt).toBeGreaterThan(0);
      expect(await phaseOf('open')).toBe('waiting');
      expect(await queueStore.clear()).toBe(0);
      expect(await store.take('3', 'a')).toMatchObject({ id: 'open' });
      expect(await store.take('4', 'a')).toBeUndefined();
    });
  });

  describe('what is over', () => {
    /** Ends so many jobs of a tenant, each with a key, an id of the service, and some events. */
    const endedJobs = async (queue: ReturnType<typeof open>, count: number) => {
      const { add, take, store, queueStore } = queue;
      for (let nth = 0; nth < count; nth += 1) {
        await add(`x${nth}`, { tenant: 't', key: `k${nth}`, events: [submitted(nth)] });
        const held = await take(`x${nth}`);
        await store.intend(held, intentOf(`s${nth}`));
        await store.answered(`x${nth}`, `s${nth}`, `p${nth}`);
        await queueStore.append(held, 't', [submitted(100 + nth)], false);
        await store.leave(held, 'ended', '', 'completed');
      }
    };

    it.each([
      ['by number', { count: 2 }, ['x3', 'x4']],
      ['by age', { ageMs: 0 }, []],
      ['not at all', {}, ['x0', 'x1', 'x2', 'x3', 'x4']],
    ] as const)('is forgotten %s, the oldest first', async (_, retention, kept) => {
      const queue = open();
      await endedJobs(queue, 5);
      await queue.queueStore.prune({ ...forever, ...retention });
      expect((await queue.queueStore.page(10)).records.map(({ id }) => id).toSorted()).toEqual(kept);
      expect((await queue.counts()).ended).toBe(kept.length);
    });

    it('is forgotten by bytes: so many as bring the rest to the bound', async () => {
      const queue = open();
      await endedJobs(queue, 4);
      const all = Number(await queue.redis.get(`${queue.prefix}endedBytes`));
      await queue.queueStore.prune({ ...forever, bytes: all });
      expect((await queue.counts()).ended).toBe(4);
      await queue.queueStore.prune({ ...forever, bytes: all - 1 });
      expect((await queue.counts()).ended).toBe(3);
    });

    it('is forgotten with its keys, ids and events, as a gap for readers of its owner', async () => {
      const queue = open();
      await endedJobs(queue, 2);
      const { log, queueStore, store, redis, prefix, add } = queue;
      const { events } = await log.read({ owner: 't' }, undefined, 10);
      await queueStore.prune({ ...forever, count: 1 });
      expect(await store.get('x0')).toBeUndefined();
      expect((await log.read({ owner: 't' }, events[0]?.id, 10)).gap).toBe(true);
      const rest = await log.read({ owner: 't' }, events[1]?.id, 10);
      expect(rest).toEqual({ events: events.slice(2), gap: false });
      expect(await queueStore.externalOf(['p0', 'p1'])).toEqual(['p0']);
      expect(await redis.hkeys(`${prefix}keys`)).toEqual(['["t","k1"]']);
      await queueStore.prune({ ...forever, count: 0 });
      expect(await redis.get(`${prefix}endedBytes`)).toBe('0');
      const left = (await redis.keys(`${prefix}*`)).filter((key) =>
        /x[01]|keys|prompts|ended$|:jobs$/u.test(key),
      );
      expect(left).toEqual([]);
      expect(await add('anew', { tenant: 't', key: 'k0' })).toBe('anew');
    });

    it('leaves a gap up to its last event, also once a job is forgotten whose events came before', async () => {
      const { add, take, store, queueStore, log } = open();
      for (const id of ['x', 'y']) await add(id, { tenant: 't', events: [submitted(1)] });
      const [x, y] = [await take('x'), await take('y')];
      for (const held of [x, y]) await queueStore.append(held, 't', [submitted(2)], false);
      const { events } = await log.read({ owner: 't' }, undefined, 10);
      const [, , third, last] = events.map(({ id }) => id);
      expect(events.map(({ jobId }) => jobId)).toEqual(['x', 'y', 'x', 'y']);
      const gapAfter = async (id?: string) => (await log.read({ owner: 't' }, id, 10)).gap;
      await store.leave(y, 'ended', '', 'completed');
      await queueStore.prune({ ...forever, count: 0 });
      expect([await gapAfter(third), await gapAfter(last)]).toEqual([true, false]);
      await store.leave(x, 'ended', '', 'completed');
      await queueStore.prune({ ...forever, count: 0 });
      expect([await gapAfter(third), await gapAfter(last)]).toEqual([true, false]);
    });

    it('is forgotten in steps of 200 where there is more', async () => {
      const queue = open();
      for (let nth = 0; nth < 201; nth += 1) await queue.add(`x${nth}`);
      await queue.queueStore.clear();
      await queue.queueStore.prune({ ...forever, count: 0 });
      expect(await queue.counts()).toEqual(none);
    });
  });
});
