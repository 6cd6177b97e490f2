import { describe, expect, it } from 'vitest';
import { describeRedis } from '../describe-redis.js';
import { redisEventLog } from '../../../src/server/queue/store/redis-event-log.js';
import { redisFileStore } from '../../../src/server/queue/store/redis-file-store.js';
import { redisJobStore } from '../../../src/server/queue/store/redis-job-store.js';
import { redisQueueStore } from '../../../src/server/queue/store/redis-queue-store.js';
import { redisTemplateStore } from '../../../src/server/queue/store/redis-template-store.js';
import { serverStore } from '../../../src/server/queue/servers/server-store.js';
import { storeClock } from '../../../src/server/queue/store/store-clock.js';

const aliveMs = 60_000;
const intent = { attempt: 1, worker: 'w', submissionIds: 'jobs' as const, submissionId: 's' };
const hostile = ['x', '{"cut', 'null', '7', '[]', '[[[', '{"a":7}', '[7]'];

describeRedis((server) => {
  let names = 0;
  const open = () => {
    const name = `hostile ${(names += 1)}`;
    const redis = server().connect();
    const time = storeClock(() => 0);
    const store = redisJobStore({ redis, name, time });
    const queueStore = redisQueueStore({ redis, name });
    const servers = serverStore({ redis, name, time });
    const add = (id: string, more: object = {}) => store.add({ id, workflow: {}, ...more });
    const look = (report: object = { attic: { isUp: true, health: 'up', slots: 2, tags: [] } }) =>
      servers.snapshot('w', aliveMs, JSON.stringify(report), 64);
    return { redis, name, prefix: `{promptwire:${name}}:`, store, queueStore, servers, add, look };
  };

  describe('a queue of an account', () => {
    it('T9 gives the next job where one is of another type, which is set aside', async () => {
      const { redis, prefix, store, queueStore, add } = open();
      for (const id of ['a', 'b', 'c']) await add(id);
      await redis.set(`${prefix}job:a`, 'a text');
      expect((await store.take('t', 'w'))?.id).toBe('b');
      expect(await redis.get(`${prefix}damaged:job:a`)).toBe('a text');
      expect((await queueStore.stats()).damaged).toBe(1);
      // A slot token whose job becomes so gets another one.
      await redis.set(`${prefix}job:b`, 'a text');
      expect((await store.take('t', 'w'))?.id).toBe('c');
    });

    it.each([
      ['fence', 'x'],
      ['fence', '1.5'],
      ['seq', 'x'],
      ['seq', '1e999'],
      ['priority', 'x'],
      ['tenant', ''],
      ['logBytes', 'x'],
      ['imageBytes', '-'],
      ['files', '{"cut'],
      ['files', '7'],
      ['bytes', 'x'],
    ])('T9 leads a job to its end whose %s is %s, and forgets it', async (field, text) => {
      const { redis, prefix, store, queueStore, add } = open();
      await add('a', { key: 'k' });
      await add('b');
      await redis.hset(`${prefix}job:a`, field, text);
      const first = await store.take('t', 'w');
      expect(first?.id).toBe('a');
      expect(await store.leave(first!, 'waiting')).toBe(true);
      const again = await store.take('t', 'w');
      expect(again?.id).toBe('a');
      expect(again!.fence).toBeGreaterThan(first!.fence);
      expect(await store.leave(first!, 'ended')).toBe(false);
      expect(await store.leave(again!, 'ended')).toBe(true);
      await redis.hset(`${prefix}job:a`, field, text);
      await queueStore.prune({ count: 0, ageMs: 1e12, bytes: 1e12 });
      expect(await store.get('a')).toBeUndefined();
      expect((await store.take('t', 'w'))?.id).toBe('b');
    });

    it('T9 ends the jobs that wait once each, also where one can’t be found by its record', async () => {
      const { redis, prefix, queueStore, add } = open();
      for (const id of ['a', 'b', 'c', 'd']) await add(id);
      await redis.hset(`${prefix}job:a`, 'seq', '99');
      await redis.hset(`${prefix}job:b`, 'tenant', 'another');
      await redis.set(`${prefix}job:c`, 'a text');
      expect(await queueStore.clear()).toBe(4);
      expect(await queueStore.clear()).toBe(0);
      expect((await queueStore.stats()).waiting).toBe(0);
    });

    it('T9 sets a workflow of another type aside, and its job can end', async () => {
      const { redis, prefix, store, add } = open();
      await add('a');
      await redis.del(`${prefix}workflow:a`);
      await redis.rpush(`${prefix}workflow:a`, 'x');
      const held = (await store.take('t', 'w'))!;
      expect(await store.workflow('a')).toBe('unreadable');
      expect([await store.setAside('a', 'workflow'), await store.setAside('a', 'workflow')]).toEqual([
        true,
        false,
      ]);
      expect(await redis.lrange(`${prefix}damaged:workflow:a`, 0, -1)).toEqual(['x']);
      expect(await store.leave(held, 'ended')).toBe(true);
      await add('b');
      await redis.del(`${prefix}workflow:b`);
      await redis.rpush(`${prefix}workflow:b`, 'x');
      expect(await store.leave((await store.take('t', 'w'))!, 'ended')).toBe(true);
    });

    it.each(['log:', 'events:', 'events-of:["","a"]'])(
      'T9 goes on with a log whose %s is of another type',
      async (key) => {
        const { redis, name, prefix, store, queueStore, add } = open();
        await add('a');
        const log = redisEventLog({ redis, name });
        const event = (at: number) => ({ type: 'cancelRequested' as const, at });
        const [first] = await log.append('', 'a', [event(1), event(2)]);
        await redis.del(`${prefix}${key}`);
        await redis.set(`${prefix}${key}`, 'a text');
        const scope = key === 'events:' ? { owner: '' } : { owner: '', jobId: 'a' };
        expect((await log.read(scope, first, 9)).gap).toBe(true);
        expect(await redis.get(`${prefix}damaged:${key}`)).toBe('a text');
        const held = (await store.take('t', 'w'))!;
        expect(await queueStore.append(held, '', [event(3)], true)).toBe('all');
        expect((await log.read({ owner: '', jobId: 'a' }, undefined, 9)).events.at(-1)?.event.at).toBe(3);
        expect(await store.leave(held, 'ended')).toBe(true);
        await redis.del(`${prefix}${key}`);
        await redis.set(`${prefix}${key}`, 'a text');
        await queueStore.prune({ count: 0, ageMs: 1e12, bytes: 1e12 });
        expect(await store.get('a')).toBeUndefined();
      },
    );

    it('T9 goes on with a log whose last number can’t be read', async () => {
      const { redis, name, prefix } = open();
      const log = redisEventLog({ redis, name });
      const event = (at: number) => ({ type: 'cancelRequested' as const, at });
      const [first] = await log.append('', 'a', [event(1), event(2)]);
      const head = await redis.hgetall(`${prefix}log:`);
      // Without a head the log has another epoch, and takes what comes.
      await redis.del(`${prefix}log:`);
      await log.append('', 'b', [event(0)]);
      expect((await log.read({ owner: '' }, first, 9)).gap).toBe(true);
      await redis.hset(`${prefix}log:`, { ...head, last: 'x', lostTo: 'x' });
      expect((await log.read({ owner: '' }, first, 9)).events.map((one) => one.event.at)).toEqual([2, 0]);
      await log.append('', 'a', [event(3)]);
      expect((await log.read({ owner: '' }, first, 9)).events.map((one) => one.event.at)).toEqual([2, 0, 3]);
    });

    it.each(['0', '1', '-3', '1.5', '1e999', 'nan', '9999999999999999', ''])(
      'T9 goes on with a log whose last number became %j, and its readers with it',
      async (last) => {
        const { redis, name, prefix, store, queueStore, add } = open();
        await add('a');
        const log = redisEventLog({ redis, name });
        const event = (at: number) => ({ type: 'cancelRequested' as const, at });
        const before = await log.append('', 'a', [event(1), event(2), event(3)]);
        await redis.hset(`${prefix}log:`, 'last', last);
        const { events, gap } = await log.read({ owner: '' }, before[2], 9);
        expect([events, gap]).toEqual([[], false]);
        expect(await log.position('')).toBe(before[2]);
        await log.append('', 'b', [event(4)]);
        await redis.hset(`${prefix}log:`, 'last', last);
        const held = (await store.take('t', 'w'))!;
        expect(await queueStore.append(held, '', [event(5)], true)).toBe('all');
        expect(await store.leave(held, 'ended')).toBe(true);
        for (const scope of [{ owner: '' }, { owner: '', jobId: 'a' }]) {
          const after = await log.read(scope, before[0], 9);
          const ats = after.events.map((one) => one.event.at);
          expect([after.gap, ats]).toEqual([false, 'jobId' in scope ? [2, 3, 5] : [2, 3, 4, 5]]);
        }
      },
    );

    it('T9 goes on with the log of a job whose stream is ahead of its owner’s', async () => {
      const { redis, name, prefix } = open();
      const log = redisEventLog({ redis, name });
      const event = (at: number) => ({ type: 'cancelRequested' as const, at });
      await log.append('', 'a', [event(1), event(2)]);
      await redis.del(`${prefix}log:`, `${prefix}events:`);
      const [next] = await log.append('', 'a', [event(3)]);
      expect((await log.read({ owner: '', jobId: 'a' }, undefined, 9)).events.at(-1)).toMatchObject({
        ...{ id: next, event: event(3) },
      });
      await log.append('', 'b', [event(4)]);
      expect((await log.read({ owner: '' }, next, 9)).events.map((one) => one.event.at)).toEqual([4]);
    });

    it('T9 forgets what has ended and is of another type', async () => {
      const { redis, prefix, store, queueStore, add } = open();
      await add('a');
      expect(await store.leave((await store.take('t', 'w'))!, 'ended')).toBe(true);
      await redis.set(`${prefix}job:a`, 'a text');
      await queueStore.prune({ count: 0, ageMs: 1e12, bytes: 1e12 });
      expect((await queueStore.stats()).ended).toBe(0);
    });

    it.each(
      ['seq', 'endedBytes', 'fileBytes', 'slots', 'foreign'].flatMap((key) =>
        ['x', '1.5', '1e999', '', 'of another type'].map((text) => [key, text] as const),
      ),
    )('T9 takes, runs, lists and forgets jobs where its number %s is %j', async (key, text) => {
      const { redis, name, prefix, store, queueStore, add } = open();
      const files = redisFileStore({ redis, name });
      for (const id of ['a', 'b']) await add(id);
      const damage = async () => {
        await redis.del(`${prefix}${key}`);
        if (text === 'of another type') await redis.rpush(`${prefix}${key}`, 'x');
        else await redis.set(`${prefix}${key}`, text);
      };
      await damage();
      await add('c');
      const { records } = await queueStore.page(9);
      expect(records.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
      for (const id of ['a', 'b', 'c']) {
        await damage();
        const held = (await store.take(`t ${id}`, 'w'))!;
        expect(held.id).toBe(id);
        expect(await store.leave(held, 'ended')).toBe(true);
      }
      await damage();
      expect(await queueStore.stats()).toMatchObject({ ended: 3, slots: 1 });
      await files.put('h', { mediaType: 'image/png', bytes: new Uint8Array(3) });
      await damage();
      await files.expire(0, 0);
      await queueStore.prune({ count: 0, ageMs: 1e12, bytes: 1e12 });
      expect((await queueStore.stats()).ended).toBe(0);
    });

    it('T9 gives jobs where what it counts by can’t be read', async () => {
      const { redis, prefix, store, add } = open();
      await add('a', { tenant: 'ann' });
      await redis.set(`${prefix}virtual`, 'x');
      await redis.set(`${prefix}foreign`, 'x');
      await redis.hset(`${prefix}weights`, 'ann', 'x', 'bob', '0');
      await add('b', { tenant: 'bob' });
      await redis.zadd(`${prefix}tenants`, 0, 'of no job');
      expect([(await store.take('t', 'w'))?.id, (await store.take('u', 'w'))?.id].toSorted()).toEqual([
        'a',
        'b',
      ]);
    });

    it.each(hostile)(
      'T9 asks whether a submission is its own where the intent that is kept is %s',
      async (text) => {
        const { redis, prefix, store, add } = open();
        await add('a');
        const held = (await store.take('t', 'w'))!;
        await redis.hset(`${prefix}job:a`, 'intent', text);
        expect(await store.answered('a', 's', 'p')).toBeUndefined();
        await store.refused('a', intent);
        expect(await store.intend(held, intent)).toMatchObject({ submissionId: 's' });
        expect(await store.answered('a', 's', 'p')).toBe('p');
      },
    );
  });

  describe('a queue over servers', () => {
    it.each(hostile)('T9 is shown to its workers where one of them reports %s', async (text) => {
      const { redis, prefix, queueStore, add, look } = open();
      await add('a');
      await look();
      await redis.sadd(`${prefix}workers`, 'hostile');
      await redis.set(`${prefix}worker:hostile`, text);
      const { servers, first } = await look();
      expect([[...servers.keys()], first.map(({ id }) => id)]).toEqual([['attic'], ['a']]);
      expect((await queueStore.stats()).slots).toBe(2);
    });

    it.each(hostile)('T9 is shown where what is kept of servers, runs and jobs is %s', async (text) => {
      const { redis, prefix, servers, add, look } = open();
      await add('a');
      await look();
      for (const key of ['servers', 'modes', 'loaded']) await redis.hset(`${prefix}${key}`, 'attic', text);
      await redis.hset(`${prefix}on:attic`, 'other', text);
      await redis.hset(`${prefix}job:a`, { work: text, refusedBy: text });
      await redis.xadd(`${prefix}runs`, '*', 'run', text);
      const run = {
        server: 'attic',
        shape: 's',
        models: [],
        modelsBefore: [],
        guessMs: 1,
        guessLoadMs: 1,
        ms: 5,
      };
      await servers.addRun(run);
      const { first, servers: known } = await look();
      expect(first.map(({ id }) => id)).toEqual(['a']);
      expect(known.get('attic')?.uses).toEqual([{ id: 'other', at: 0, ms: 0 }]);
      expect((await servers.runsAfter('0')).runs).toEqual([run]);
      await redis.hdel(`${prefix}modes`, 'attic');
      const call = { id: 'a', server: 'attic', slots: 2, expectedMs: 1, models: [] };
      const placed = await servers.place(call, 'w', aliveMs);
      expect(placed?.id).toBe('a');
      await redis.hset(`${prefix}job:a`, 'refusedBy', text);
      const why = { _tag: 'refused', reason: 'r', servers: ['attic'] } as const;
      expect(await servers.again({ id: 'a', server: 'attic', by: { fence: placed!.fence }, why })).toBe(true);
      expect((await look()).first[0]?.refusedBy).toMatchObject({ attic: 'r' });
    });

    it('T9 goes on where a job that waits, and one that runs, is of another type', async () => {
      const { redis, prefix, servers, add, look } = open();
      for (const id of ['a', 'b', 'c']) await add(id);
      await look();
      const call = { server: 'attic', slots: 2, expectedMs: 1, models: [] };
      await servers.place({ id: 'a', ...call }, 'w', aliveMs);
      for (const id of ['a', 'b']) await redis.set(`${prefix}job:${id}`, 'a text');
      const { first, own } = await look();
      expect([first.map(({ id }) => id), own]).toEqual([['c'], []]);
      expect(await redis.hkeys(`${prefix}damaged`)).toEqual(expect.arrayContaining(['job:a', 'job:b']));
    });
  });

  it.each(hostile)('T9 sends a file once more where what is known of it on a server is %s', async (text) => {
    const { redis, name, prefix } = open();
    await redis.hset(`${prefix}has:attic`, 'h', text);
    const files = redisFileStore({ redis, name });
    await expect(files.valueOn('attic', 'h')).resolves.not.toThrow();
    await files.noteOn('attic', 'h', { a: 1 });
    expect(await files.valueOn('attic', 'h')).toEqual({ a: 1 });
  });

  it.each([...hostile, '{"name":7}', '{"name":"a","owner":"ann"}'])(
    'T9 lists the templates that can be read beside %s',
    async (text) => {
      const { redis, name, prefix } = open();
      const templates = redisTemplateStore({ redis, name });
      const saved = {
        ...{ owner: 'ann', name: 'b', workflow: {}, inputs: {}, jsonSchema: {}, createdAt: 1, updatedAt: 1 },
      };
      await templates.put(saved, { maxTemplates: 9, maxSize: 9_999 });
      await redis.hset(`${prefix}templates:ann`, 'a', text);
      await redis.hset(`${prefix}template-bodies:ann`, 'a', text);
      await redis.hset(`${prefix}template-sizes:ann`, 'a', text);
      await redis.hset(`${prefix}template-totals`, 'count', text, 'bytes', text);
      expect(await templates.put({ ...saved, name: 'c' }, { maxTemplates: 9, maxSize: 9_999 })).toEqual({
        ...{ _tag: 'put', isNew: true },
      });
      expect(await templates.remove('ann', 'c')).toBe(true);
      expect((await templates.list('ann')).map((one) => one.name)).toEqual(['b']);
      expect(await templates.get('ann', 'a')).toBeUndefined();
      expect(await templates.get('ann', 'b')).toEqual(saved);
    },
  );
});
