import { describeRedis } from '../../describe-redis.js';
import { expect, it } from 'vitest';
import type { JobRecord } from '../../../../src/server/joblog/job-index.js';
import type { LifecycleEvent } from '../../../../src/core/events/job-log-event.js';
import { mendRecords } from '../../../../src/server/queue/store/mend-records.js';
import type { Redis } from 'ioredis';
import { redisEventLog } from '../../../../src/server/queue/store/redis-event-log.js';
import { redisFileStore } from '../../../../src/server/queue/store/redis-file-store.js';
import { redisJobIndex } from '../../../../src/server/queue/store/redis-job-index.js';
import { redisJobStore } from '../../../../src/server/queue/store/redis-job-store.js';
import { redisQueueStore } from '../../../../src/server/queue/store/redis-queue-store.js';
import { serverStore } from '../../../../src/server/queue/servers/server-store.js';
import { redisTemplateStore } from '../../../../src/server/queue/store/redis-template-store.js';
import { storeClock } from '../../../../src/server/queue/store/store-clock.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };
const picture = { mediaType: 'image/png', bytes: new Uint8Array(64).fill(7) };
const event: LifecycleEvent = { type: 'cancelRequested', at: 1 };
const intentOf = (submissionId: string) => ({
  ...{ attempt: 1, worker: 'a', submissionIds: 'none' as const, submissionId },
});
const record = (id: string): JobRecord => ({
  ...{ id, owner: 'ann', client: 'default', createdAt: 1, expiresAt: 1e15, submissionId: `s-${id}` },
  workflow,
});
const template = (name: string) => ({
  ...{ name, owner: 'ann', createdAt: 1, updatedAt: 1, inputs: {}, workflow },
  jsonSchema: {},
});

describeRedis((server) => {
  let names = 0;
  const open = () => {
    const name = `full ${(names += 1)}`;
    const redis = server().connect();
    const ports = { redis, name };
    return {
      ...{ redis, prefix: `{promptwire:${name}}:` },
      store: redisJobStore({ ...ports, time: storeClock(() => 0) }),
      queueStore: redisQueueStore(ports),
      log: redisEventLog(ports),
      files: redisFileStore(ports),
      servers: serverStore({ ...ports, time: storeClock(() => 0) }),
      index: redisJobIndex(ports),
      templates: redisTemplateStore(ports),
    };
  };
  type Queue = ReturnType<typeof open>;
  const held = async ({ store }: Queue, id: string) => {
    await store.add({ id, workflow, tenant: 't' });
    const job = await store.take(id, 'a');
    if (job === undefined) throw new Error('No job waits.');
    return job;
  };
  /** What a worker reports of one server, which has a slot. */
  const report = JSON.stringify({ gpu: { slots: 1, isUp: true, health: 'up', tags: [] } });
  const onServer = (id: string) => ({ id, server: 'gpu', slots: 1, expectedMs: 1, models: ['m'] });
  const snapshot = ({ servers }: Queue, worker = 'a') => servers.snapshot(worker, 60_000, report, 9);
  const withoutMemory = async <Value>(redis: Redis, work: () => Promise<Value>): Promise<Value> => {
    await redis.config('SET', 'maxmemory', '1');
    try {
      return await work();
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
  };
  /** All that the queue has, byte by byte. */
  const contents = async ({ redis, prefix }: Queue): Promise<Readonly<Record<string, string>>> => {
    const keys = (await redis.keys('*')).filter((key) => key.startsWith(prefix)).sort();
    const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
    return Object.fromEntries(keys.map((key, at) => [key, dumps[at]?.toString('base64') ?? '']));
  };

  it('T7 at maxmemory what a job that runs made is kept, to its end', async () => {
    const queue = open();
    const { redis, prefix, store, queueStore } = queue;
    const [one, other] = [await held(queue, 'one'), await held(queue, 'other')];
    await store.intend(one, intentOf('s'));
    await store.intend(other, intentOf('u'));
    await withoutMemory(redis, async () => {
      expect(await store.answered('one', 's', 'p')).toBe('p');
      const images = queueStore.images(one);
      expect(await images.put('one', { nodeId: '1', index: 0 }, picture)).toBe(true);
      expect(await images.get('one', { nodeId: '1', index: 0 })).toEqual(picture);
      expect(await queueStore.append(one, 't', [event], true)).toBe('all');
      expect(await store.leave(one, 'ended', undefined, 'completed')).toBe(true);
      await store.refused('other', (await store.get('other'))!.intent!);
      expect((await store.get('other'))?.intent).toBeUndefined();
      expect(await store.leave(other, 'waiting')).toBe(true);
      expect(await store.cancel('other')).toBe('waiting');
    });
    expect(await queueStore.stats()).toMatchObject({ held: 0, waiting: 0, ended: 2 });
    expect(await redis.hlen(`${prefix}images:one`)).toBe(1);
  });

  it.each(['intent', 'workflow'] as const)(
    'T7 at maxmemory a job whose %s can’t be read is set aside once, and ends',
    async (part) => {
      const queue = open();
      const { redis, prefix, store, queueStore } = queue;
      const job = await held(queue, 'x');
      if (part === 'intent') await redis.hset(`${prefix}job:x`, part, 'cut');
      else await redis.set(`${prefix}workflow:x`, 'cut');
      await withoutMemory(redis, async () => {
        expect(await store.setAside('x', part)).toBe(true);
        expect(await store.setAside('x', part)).toBe(false);
        expect(await store.leave(job, 'ended')).toBe(true);
      });
      expect(await redis.hgetall(`${prefix}damaged`)).toEqual({ [`${part}:x`]: 'cut' });
      expect((await queueStore.stats()).damaged).toBe(1);
    },
  );

  it('T7 at maxmemory a reader begins where the log is, also in the log of a caller that has none', async () => {
    const queue = open();
    const { redis, log } = queue;
    const [first] = await log.append('ann', 'x', [event]);
    await withoutMemory(redis, async () => {
      expect(await log.position('ann')).toBe(first);
      const begun = await log.position('new');
      expect(await log.position('new')).toBe(begun);
      expect((await log.read({ owner: 'ann', jobId: 'x' }, undefined, 10)).events).toHaveLength(1);
      await log.expire('ann', 'x');
    });
    expect((await log.read({ owner: 'ann', jobId: 'x' }, undefined, 10)).events).toEqual([]);
  });

  it('T7 at maxmemory what is known is read, renewed and removed', async () => {
    const queue = open();
    const { redis, index, templates, files, queueStore, store } = queue;
    await index.add(record('x'));
    await templates.put(template('one'), { maxTemplates: 9, maxSize: 1e6 });
    await files.put('old', picture);
    for (const id of ['a', 'b']) await store.add({ id, workflow });
    await withoutMemory(redis, async () => {
      expect(await index.get('x')).toMatchObject({ id: 'x' });
      await index.update('x', { ended: { phase: 'failed', at: 2 } });
      expect((await index.expire(2e15)).map(({ id }) => id)).toEqual(['x']);
      expect(await templates.get('ann', 'one')).toMatchObject({ name: 'one' });
      expect(await templates.remove('ann', 'one')).toBe(true);
      await files.expire(-1, 0);
      expect(await queueStore.clear()).toBe(2);
      await queueStore.prune({ count: 0, ageMs: 0, bytes: 0 });
    });
    expect(await files.get('old')).toBeUndefined();
    expect(await queueStore.stats()).toMatchObject({ waiting: 0, ended: 0 });
  });

  it('T7 at maxmemory leases of records are renewed, given up and acquired, and pictures of their jobs kept', async () => {
    const queue = open();
    const { redis, prefix, index, log } = queue;
    const leases = index.leases!;
    const of = (process: string, forMs = 60_000) => ({ process, forMs });
    for (const id of ['x', 'y']) await index.add(record(id), of('one'));
    await redis.hset(`${prefix}job:torn`, 'record', '{"cut');
    await redis.zadd(`${prefix}open`, 0, 'torn');
    await withoutMemory(redis, async () => {
      expect(await leases.renew(['x', 'y', 'z'], of('one'))).toEqual(['z']);
      expect(await leases.renew(['x'], of('other'))).toEqual(['x']);
      expect(await leases.renew(['x'], of('one', 0))).toEqual([]);
      expect((await leases.acquire(of('other'))).map(({ id }) => id)).toEqual(['x']);
      expect(await leases.renew(['x', 'y'], of('one'))).toEqual(['x']);
      expect(await index.images!.put('x', { nodeId: '1', index: 0 }, picture)).toBe(true);
      expect(await index.images!.get('x', { nodeId: '1', index: 0 })).toEqual(picture);
      expect(await index.images!.put('gone', { nodeId: '1', index: 0 }, picture)).toBe(false);
      expect(await log.append('ann', 'x', [event, event])).toHaveLength(2);
    });
    expect((await log.read({ owner: 'ann', jobId: 'x' }, undefined, 10)).events).toHaveLength(2);
    const size = Number(await redis.hget(`${prefix}job:x`, 'size'));
    expect(size).toBeGreaterThan(Number(await redis.hget(`${prefix}job:y`, 'size')));
    await index.remove('x');
    await index.remove('y');
    expect(await redis.get(`${prefix}bytes`)).toBe('0');
  });

  it('T7 at maxmemory a gateway begins, takes back a record, and says that no write is taken; so does a queue', async () => {
    const queue = open();
    const { redis, prefix, index, queueStore, store } = queue;
    for (const id of ['x', 'y']) await index.add(record(id));
    await store.add({ id: 'late', workflow, delayMs: 60_000 });
    await redis.set(`${prefix}bytes`, 'cut');
    const told: string[] = [];
    await withoutMemory(redis, async () => {
      const name = prefix.slice('{promptwire:'.length, -'}:'.length);
      await mendRecords({ redis, name, onDamage: (message) => told.push(message) });
      await index.remove('x');
      await expect(index.probe!()).rejects.toThrow(/OOM/u);
      expect((await queueStore.stats()).refused).toContain('maxmemory');
      expect(await queueStore.overdue(0)).toEqual([]);
    });
    expect(told).toHaveLength(1);
    expect(await index.get('x')).toBeUndefined();
    expect(await redis.get(`${prefix}bytes`)).toBe(await redis.hget(`${prefix}job:y`, 'size'));
    expect((await queueStore.stats()).refused).toBeUndefined();
    await index.probe!();
  });

  it('T7 at maxmemory an unknown job is decided on, either way', async () => {
    const queue = open();
    const { redis, store, queueStore } = queue;
    for (const id of ['again', 'gone'])
      expect(await store.leave(await held(queue, id), 'unknown')).toBe(true);
    await withoutMemory(redis, async () => {
      await queueStore.resolve('again', 'resubmit');
      await queueStore.resolve('gone', 'forget');
      await queueStore.resolve('gone', 'resubmit');
    });
    expect(await queueStore.stats()).toMatchObject({ unknown: 0, waiting: 1, ended: 1, held: 0 });
  });

  it('T7 at maxmemory a worker over servers lives, and takes over and gives back what a server may have', async () => {
    const queue = open();
    const { redis, store, servers, queueStore } = queue;
    await snapshot(queue, 'dead');
    for (const id of ['one', 'other']) {
      await store.add({ id, workflow });
      const placed = await servers.place({ ...onServer(id), slots: 2 }, 'dead', 60_000);
      await store.intend(placed!, intentOf(`of-${id}`));
    }
    await servers.leave('dead');
    await withoutMemory(redis, async () => {
      expect(await snapshot(queue)).toMatchObject({ own: [], waiting: 0 });
      const taken = await servers.takeOpen(['gpu'], 'a', 60_000);
      expect(taken).toMatchObject({
        id: 'one',
        server: 'gpu',
        record: { intent: { submissionId: 'of-one' } },
      });
      const lost = { id: 'one', server: 'gpu', why: { _tag: 'lost' } } as const;
      expect(await servers.again({ ...lost, by: { fence: taken!.fence - 1 } })).toBe(false);
      expect(await servers.again({ ...lost, by: { fence: taken!.fence }, event: () => event })).toBe(true);
      const kept = (await servers.servers()).servers.get('gpu');
      expect(kept).toMatchObject({ lost: 1, open: 1, uses: [{ id: 'other' }] });
      expect(await snapshot(queue)).toMatchObject({
        own: [],
        waiting: 1,
        first: [{ id: 'one', attempt: 2 }],
      });
    });
    expect(await queueStore.stats()).toMatchObject({ waiting: 2, held: 0 });
  });

  it.each<readonly [string, (queue: Queue) => Promise<unknown>]>([
    ['a job', ({ store }) => store.add({ id: 'new', workflow, tenant: 'new', key: 'k', events: [event] })],
    ['a delayed job', ({ store }) => store.add({ id: 'new', workflow, delayMs: 60_000 })],
    ['a hold of a job that waits', ({ store }) => store.take('waits', 'b')],
    ['a job at a server', ({ servers }) => servers.place(onServer('waits'), 'a', 60_000)],
    ['a hold of a job whose delay is over', ({ store }) => store.take('late', 'b')],
    ['an intent', ({ store }) => store.intend({ id: 'held', fence: 1 }, intentOf('new'))],
    ['a progress', ({ queueStore }) => queueStore.progress({ id: 'held', fence: 1 }, { nodes: {} } as never)],
    ['an input file', ({ files }) => files.put('new', picture)],
    ['a use of an input file', ({ files }) => files.has('known')],
    ['a template', ({ templates }) => templates.put(template('new'), { maxTemplates: 9, maxSize: 1e6 })],
    [
      'a template in place of another one',
      ({ templates }) =>
        templates.put({ ...template('known'), updatedAt: 2 }, { maxTemplates: 9, maxSize: 1e6 }),
    ],
    ['a record of a gateway', ({ index }) => index.add({ ...record('new'), key: 'k' })],
  ])('T6 at maxmemory %s is refused, and nothing of it stays', async (_, call) => {
    const queue = open();
    const { redis, store, files, templates } = queue;
    await snapshot(queue);
    expect((await held(queue, 'held')).fence).toBe(1);
    await store.add({ id: 'waits', workflow, tenant: 't' });
    await store.add({ id: 'late', workflow, delayMs: 1 });
    await files.put('known', picture);
    await templates.put(template('known'), { maxTemplates: 9, maxSize: 1e6 });
    const before = await contents(queue);
    await withoutMemory(redis, () => expect(call(queue)).rejects.toThrow(/OOM/u));
    expect(await contents(queue)).toEqual(before);
    await call(queue);
    expect(await contents(queue)).not.toEqual(before);
  });
});
