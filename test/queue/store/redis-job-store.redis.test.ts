import { expect, it } from 'vitest';
import { describeRedis } from '../describe-redis.js';
import type { JobStore, NewJob } from '../../../src/server/queue/store/job-store.js';
import { randomUUID } from 'node:crypto';
import { redisJobStore } from '../../../src/server/queue/store/redis-job-store.js';
import { storeClock } from '../../../src/server/queue/store/store-clock.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: { images: ['2', 0], seed: 2n ** 60n } } } as never;

describeRedis(
  (server) => {
    let stores = 0;
    const open = (
      name = `queue ${(stores += 1)}`,
      more: { readonly maxWorkflowBytes?: number } = {},
    ): JobStore =>
      redisJobStore({ redis: server().connect(), name, time: storeClock(() => performance.now()), ...more });
    const add = (store: JobStore, id: string, more: Partial<NewJob> = {}): Promise<string | undefined> =>
      store.add({ id, workflow, ...more });
    const taken = async (store: JobStore, turn: string, worker = 'a') => {
      const held = await store.take(turn, worker);
      if (held === undefined) throw new Error(`No job waits for the turn ${turn}.`);
      return held;
    };
    const intentOf = (submissionId: string, attempt = 1) => ({
      attempt,
      worker: 'a',
      submissionIds: 'none' as const,
      submissionId,
    });

    it('gives back the workflow of a job as it was added, integers beyond 2^53 included', async () => {
      const store = open();
      await add(store, 'x', { extraData: { note: 'ä' }, tenant: 't', priority: 2 });
      expect(await store.workflow('x')).toEqual({ workflow, extraData: { note: 'ä' } });
      expect(await store.get('x')).toMatchObject({ id: 'x', tenant: 't', priority: 2, phase: 'waiting' });
      expect(await store.get('y')).toBeUndefined();
    });

    it('stores no credential and no workflow beyond its limit', async () => {
      const store = open(undefined, { maxWorkflowBytes: 10_000 });
      const secret = add(store, 'x', { extraData: { api_key_comfy_org: 'secret' } });
      await expect(secret).rejects.toMatchObject({ _tag: 'InvalidConfig' });
      const noise = Array.from({ length: 600 }, () => randomUUID()).join('');
      const large = { 1: { class_type: 'A', inputs: { noise } } } as never;
      await expect(add(store, 'y', { workflow: large })).rejects.toMatchObject({ _tag: 'TooLarge' });
      expect(await store.get('x')).toBeUndefined();
    });

    it('gives no job to a turn whose lock another worker has, or nobody', async () => {
      const redis = server().connect();
      const store = redisJobStore({ redis, name: 'locked', time: storeClock(() => performance.now()) });
      await add(store, 'x');
      const lock = (token: string) => ({ key: '{promptwire:locked}:a lock', token });
      expect(await store.take('x', 'a', lock('of a'))).toBeUndefined();
      await redis.set('{promptwire:locked}:a lock', 'of b');
      expect(await store.take('x', 'a', lock('of a'))).toBeUndefined();
      expect((await store.take('x', 'b', lock('of b')))?.fence).toBe(1);
    });

    it('adds one job for a key of a tenant, also when many processes add it at once', async () => {
      const store = open();
      const ids = Array.from({ length: 50 }, (_, index) => `job ${index}`);
      const added = await Promise.all(ids.map((id) => add(store, id, { key: 'k', tenant: 't' })));
      expect(new Set(added).size).toBe(1);
      expect(await add(store, 'other', { key: 'k', tenant: 'u' })).toBe('other');
    });

    it('gives each of many turns a job of its own, over several connections', async () => {
      const store = open('shared');
      const others = [open('shared'), open('shared'), open('shared')];
      const ids = Array.from({ length: 200 }, (_, index) => `job ${index}`);
      await Promise.all(ids.map((id) => add(store, id, { tenant: `t${id.length}` })));
      const held = await Promise.all(ids.map((id, index) => (others[index % 3] ?? store).take(id, 'a')));
      expect(held.map((one) => one?.id).sort()).toEqual(ids.toSorted());
      expect(await store.take('one more', 'a')).toBeUndefined();
    });

    it('takes by priority, then age, within a tenant', async () => {
      const store = open();
      for (const [id, priority] of [
        ['a', 0],
        ['b', 5],
        ['c', 5],
        ['d', -1],
      ] as const) {
        await add(store, id, { priority });
      }
      const order: string[] = [];
      for (const turn of ['a', 'b', 'c', 'd']) order.push((await taken(store, turn)).id);
      expect(order).toEqual(['b', 'c', 'a', 'd']);
    });

    it('takes the only job of a tenant next but one, however many another one has', async () => {
      const store = open();
      for (let index = 0; index < 300; index += 1) await add(store, `many ${index}`, { tenant: 'many' });
      for (let index = 0; index < 20; index += 1) await taken(store, `many ${index}`);
      await add(store, 'one', { tenant: 'one' });
      const next = [await taken(store, 'many 20'), await taken(store, 'many 21')];
      expect(next.map(({ id }) => id)).toContain('one');
    });

    it('shares turns by weight', async () => {
      const store = open();
      const tenants = Array.from({ length: 40 }, (_, index) => `t${index}`);
      await Promise.all(tenants.map((tenant, index) => store.setWeight(tenant, index % 2 === 0 ? 1 : 3)));
      await Promise.all(
        tenants.flatMap((tenant) =>
          Array.from({ length: 30 }, (_, index) => add(store, `${tenant} ${index}`, { tenant })),
        ),
      );
      let heavy = 0;
      for (let turn = 0; turn < 640; turn += 1) {
        const { job } = await taken(store, `turn ${turn}`);
        if (Number(job.tenant.slice(1)) % 2 === 1) heavy += 1;
      }
      expect(heavy / 640).toBeGreaterThan(0.75 * 0.9);
      expect(heavy / 640).toBeLessThan(0.75 * 1.1);
      await expect(store.setWeight('t1', 0)).rejects.toMatchObject({ _tag: 'InvalidConfig' });
    });

    it('lets a delayed job wait from its own turn on', async () => {
      const store = open();
      await add(store, 'late', { delayMs: 60_000 });
      expect(await store.take('other', 'a')).toBeUndefined();
      expect((await taken(store, 'late')).id).toBe('late');
    });

    it('gives the turn of a dead worker the same job, and refuses what that worker still wants', async () => {
      const store = open();
      await add(store, 'x');
      await add(store, 'y');
      const first = await taken(store, 'x', 'a');
      const second = await taken(store, 'x', 'b');
      expect(second).toMatchObject({ id: 'x', fence: first.fence + 1 });
      expect(await store.intend(first, intentOf('s1'))).toBeUndefined();
      expect(await store.leave(first, 'ended', 'completed')).toBe(false);
      expect(await store.intend(second, intentOf('s2'))).toMatchObject({ submissionId: 's2', attempt: 1 });
      expect(await store.leave(second, 'ended', 'completed')).toBe(true);
      expect((await taken(store, 'x', 'c')).id).toBe('y');
    });

    it('keeps the moment of the first intent of a submission that is repeated', async () => {
      const store = open();
      await add(store, 'x');
      const held = await taken(store, 'x');
      const first = await store.intend(held, intentOf('s'));
      const again = await store.intend(held, intentOf('s', 2));
      expect(again?.since).toBe(first?.at);
      await store.refused('x', { submissionId: 's', attempt: 1 });
      expect((await store.get('x'))?.intent?.attempt).toBe(2);
      await store.refused('x', { submissionId: 's', attempt: 2 });
      expect((await store.get('x'))?.intent).toBeUndefined();
    });

    it('gives a job of the service to one job of the queue', async () => {
      const store = open();
      const held = [];
      for (const id of ['x', 'y']) {
        await add(store, id);
        held.push(await taken(store, id));
      }
      for (const job of held) await store.intend(job, intentOf(`s ${job.id}`));
      expect(await store.answered('x', 's x', 'p')).toBe('p');
      expect(await store.answered('x', 's x', 'p2')).toBe('p');
      expect(await store.answered('x', 'another', 'p3')).toBeUndefined();
      expect(await store.answered('y', 's y', 'p')).toBeUndefined();
      expect(await store.unclaimed('y', ['p', 'q'])).toEqual(['q']);
      expect(await store.unclaimed('x', ['p', 'q'])).toEqual(['p', 'q']);
    });

    it('takes a job that the service may have before all others, and one whose answer came late', async () => {
      const store = open();
      for (const id of ['x', 'y', 'z']) await add(store, id);
      const x = await taken(store, 'x');
      await store.intend(x, intentOf('s x'));
      const y = await taken(store, 'y');
      await store.intend(y, intentOf('s y'));
      expect(await store.leave(y, 'unknown', 'lost')).toBe(true);
      expect(await store.get('y')).toMatchObject({ phase: 'unknown', reason: 'lost' });
      expect(await store.leave(x, 'waiting')).toBe(true);
      expect(await store.answered('y', 's y', 'p')).toBe('p');
      const next = [await taken(store, 'x', 'b'), await taken(store, 'y', 'b'), await taken(store, 'z', 'b')];
      expect(next.map(({ id }) => id)).toEqual(['x', 'y', 'z']);
      expect(next[1]?.record.promptId).toBe('p');
    });

    it('ends a waiting job that is cancelled, and marks one that the service may have', async () => {
      const store = open();
      for (const id of ['x', 'y']) await add(store, id);
      const x = await taken(store, 'x');
      await store.intend(x, intentOf('s'));
      expect(await store.cancel('x')).toBe('held');
      await store.leave(x, 'waiting');
      expect(await store.cancel('x')).toBe('waiting');
      expect((await store.get('x'))?.cancelRequestedAt).toBeGreaterThan(0);
      expect(await store.cancel('y')).toBe('waiting');
      expect(await store.get('y')).toMatchObject({ phase: 'ended', reason: 'cancelled' });
      expect((await taken(store, 'y')).id).toBe('x');
      expect(await store.take('z', 'a')).toBeUndefined();
      expect(await store.cancel('unheard of')).toBeUndefined();
    });

    it('keeps what it has confirmed when the server is killed, and waits while it is away', async () => {
      const store = open();
      await add(store, 'x');
      const held = await taken(store, 'x');
      const intent = await store.intend(held, intentOf('s'));
      await server().kill();
      const answered = store.answered('x', 's', 'p');
      await server().start();
      expect(await answered).toBe('p');
      expect(await store.get('x')).toMatchObject({ phase: 'held', intent, promptId: 'p' });
    });

    it('loads its scripts again after they are flushed', async () => {
      const store = open();
      await add(store, 'x');
      await server().connect().script('FLUSH');
      expect((await taken(store, 'x')).id).toBe('x');
    });
  },
  { isDurable: true },
);
