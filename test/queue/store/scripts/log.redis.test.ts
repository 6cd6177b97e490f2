import { expect, it } from 'vitest';
import { firstValueFrom, ReplaySubject, take as first, toArray } from 'rxjs';
import { describeRedis } from '../../describe-redis.js';
import type { LifecycleEvent } from '../../../../src/core/events/job-log-event.js';
import { redisEventLog } from '../../../../src/server/queue/store/redis-event-log.js';
import { redisJobStore } from '../../../../src/server/queue/store/redis-job-store.js';
import { redisQueueStore } from '../../../../src/server/queue/store/redis-queue-store.js';
import { writeExactJson } from '../../../../src/core/protocol/json/exact-json.js';
import { storeClock } from '../../../../src/server/queue/store/store-clock.js';

const event = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });
const output = (nodeId: string, bytes: number): LifecycleEvent => {
  const of = (text: string): LifecycleEvent => ({
    ...{ type: 'output', at: 0, nodeId, outputs: { text: [text] }, added: [] },
  });
  return of('x'.repeat(bytes - writeExactJson(of('')).length));
};
/** What a job's events may have here, as JSON. */
const room = 60 * 1024;

describeRedis((server) => {
  let names = 0;
  const open = (name = `log ${(names += 1)}`) => {
    const redis = server().connect();
    const store = redisJobStore({ redis, name, time: storeClock(() => 0) });
    return {
      name,
      redis,
      store,
      queueStore: redisQueueStore({ redis, name, maxLogBytes: room }),
      log: redisEventLog({ redis, name }),
    };
  };
  const add = async ({ store }: ReturnType<typeof open>, id = 'x') => {
    await store.add({ id, workflow: {}, tenant: 't' });
  };
  const take = async ({ store }: ReturnType<typeof open>, turn = 'x', worker = 'a') => {
    const held = await store.take(turn, worker);
    if (held === undefined) throw new Error('No job waits.');
    return held;
  };
  const eventsOf = async ({ log }: ReturnType<typeof open>, jobId = 'x') =>
    (await log.read({ owner: 't', jobId }, undefined, 1_000)).events.map((one) => one.event);

  it('appends nothing for a worker that lost the job, also while another one, or itself again, holds it', async () => {
    const queue = open();
    await add(queue);
    const first = await take(queue);
    expect(await queue.queueStore.append(first, 't', [event(1)], false)).toBe('all');
    const second = await take(queue, 'x', 'b');
    expect(await queue.queueStore.append(first, 't', [event(2)], true)).toBe('none');
    await queue.store.leave(second, 'waiting');
    const third = await take(queue, 'x', 'a');
    expect(await queue.queueStore.append(first, 't', [event(3)], false)).toBe('none');
    expect(await queue.queueStore.append(second, 't', [event(4)], false)).toBe('none');
    expect(await queue.queueStore.append(third, 't', [event(5)], false)).toBe('all');
    await queue.store.leave(third, 'ended');
    expect(await queue.queueStore.append(third, 't', [event(6)], true)).toBe('none');
    expect(await eventsOf(queue)).toEqual([event(1), event(5)]);
  });

  it('leaves out what several outputs have beyond the room together, and keeps the end', async () => {
    const queue = open();
    await add(queue);
    const held = await take(queue);
    const [one, two, three] = [output('1', room / 2), output('2', room / 2 - 99), output('3', 200)];
    expect(await queue.queueStore.append(held, 't', [one], false)).toBe('all');
    expect(await queue.queueStore.append(held, 't', [two, three], false)).toBe('some');
    expect(await eventsOf(queue)).toEqual([one, two]);
    expect(await queue.queueStore.append(held, 't', [three, output('end', 300)], true)).toBe('some');
    expect(await eventsOf(queue)).toEqual([one, two, output('end', 300)]);
  });

  it('N6 has room for the outputs of a thousand files where no bound is set', async () => {
    const { redis, name, store } = open();
    await store.add({ id: 'x', workflow: {}, tenant: 't' });
    const held = await store.take('x', 'a');
    if (held === undefined) throw new Error('No job waits.');
    const large = output('1', 300_000);
    expect(await redisQueueStore({ redis, name }).append(held, 't', [large], false)).toBe('all');
  });

  it('keeps an event that fills the room to the byte, and goes on with a smaller one after one too large', async () => {
    const queue = open();
    await add(queue);
    const held = await take(queue);
    const small = output('s', 100);
    await queue.queueStore.append(held, 't', [output('1', room + 1), small, output('2', room - 100)], false);
    expect((await eventsOf(queue)).map((one) => ('nodeId' in one ? one.nodeId : ''))).toEqual(['s', '2']);
    await queue.queueStore.append(held, 't', [event(1)], false);
    expect(await eventsOf(queue)).toHaveLength(2);
  });

  it('counts the first events of a job into its room, and what it keeps when it is over', async () => {
    const queue = open();
    const first = output('1', 1_000);
    await queue.store.add({ id: 'x', workflow: {}, tenant: 't', events: [first, first] });
    const held = await take(queue);
    await queue.queueStore.append(held, 't', [output('2', room - 1_999)], false);
    expect(await eventsOf(queue)).toHaveLength(2);
    await queue.queueStore.append(held, 't', [output('2', room - 2_000)], false);
    expect(await eventsOf(queue)).toHaveLength(3);
    await queue.store.leave(held, 'ended');
    const prefix = `{promptwire:${queue.name}}:`;
    const packed = await queue.redis.strlen(`${prefix}workflow:x`);
    expect(await queue.redis.get(`${prefix}endedBytes`)).toBe(String(packed + 2 * room));
  });

  it('appends once what is sent twice, since the answer was lost, and for ten minutes knows so', async () => {
    const { redis, name, store, queueStore, log } = open();
    await store.add({ id: 'x', workflow: {}, tenant: 't' });
    const held = await store.take('x', 'a');
    if (held === undefined) throw new Error('No job waits.');
    // As ioredis does after a connection was cut: the same call, word for word.
    const calls: { readonly args: readonly unknown[] }[] = [];
    const evalsha = redis.evalsha.bind(redis) as (...args: readonly unknown[]) => Promise<unknown>;
    const twice = Object.assign(Object.create(redis) as typeof redis, {
      evalsha: async (...args: readonly unknown[]) => {
        calls.push({ args });
        await evalsha(...args);
        return evalsha(...args);
      },
    });
    await log.append('o', 'y', [event(0)]);
    expect(await redisEventLog({ redis: twice, name }).append('o', 'y', [event(1), event(2)])).toHaveLength(
      2,
    );
    expect((await log.read({ owner: 'o' }, undefined, 10)).events.map((one) => one.event.at)).toEqual([
      0, 1, 2,
    ]);
    await queueStore.append(held, 't', [event(0)], false);
    expect(await redisQueueStore({ redis: twice, name }).append(held, 't', [event(1)], false)).toBe('all');
    expect((await log.read({ owner: 't' }, undefined, 10)).events.map((one) => one.event.at)).toEqual([0, 1]);
    expect(calls).toHaveLength(2);
    for (const token of await redis.keys(`{promptwire:${name}}:appended:*`)) {
      expect(await redis.ttl(token)).toBeGreaterThan(590);
      expect(await redis.ttl(token)).toBeLessThanOrEqual(600);
    }
  });

  it('tells other processes of what a worker and the queue append, with owner and job', async () => {
    const queue = open();
    const listener = server().connect();
    const channel = `{promptwire:${queue.name}}:appended`;
    const told = new ReplaySubject<unknown>(10);
    listener.on('message', (_, message: string) => told.next(JSON.parse(message)));
    await listener.subscribe(channel);
    await queue.store.add({ id: 'x', workflow: {}, tenant: 't', events: [event(0)] });
    await queue.queueStore.append(await take(queue), 't', [event(1)], false);
    expect(await firstValueFrom(told.pipe(first(2), toArray()))).toEqual([
      ['add', 't', 'x'],
      ['worker', 't', 'x'],
    ]);
    listener.disconnect();
  });

  it('reads one page after the other, with no event twice and none left out', async () => {
    const { log } = open();
    for (let at = 1; at <= 11; at += 1) await log.append('o', at % 2 === 0 ? 'x' : 'y', [event(at)]);
    const seen: number[] = [];
    for (let after: string | undefined; ;) {
      const { events } = await log.read({ owner: 'o' }, after, 3);
      seen.push(...events.map((one) => one.event.at));
      if (events.length < 3) break;
      after = events.at(-1)?.id;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('gives a position before the first event, and begins anew under another epoch', async () => {
    const { log, redis, name } = open();
    const before = await log.position('o');
    expect(await log.position('o')).toBe(before);
    const [id] = await log.append('o', 'x', [event(1)]);
    expect((await log.read({ owner: 'o' }, before, 10)).events.map((one) => one.id)).toEqual([id]);
    expect(await log.position('o')).toBe(id);
    await redis.del(...(await redis.keys(`{promptwire:${name}}:*`)));
    await log.append('o', 'x', [event(2)]);
    expect(await log.read({ owner: 'o' }, id, 10)).toEqual({ events: [], gap: true });
    expect(await log.append('o', 'x', [])).toEqual([]);
  });

  it('forgets what the owner’s readers have not read yet as a gap, and nothing of a job without events', async () => {
    const { log } = open();
    const ids: string[] = [];
    for (const [jobId, at] of [
      ['x', 1],
      ['y', 2],
      ['x', 3],
      ['y', 4],
    ] as const) {
      ids.push(...(await log.append('o', jobId, [event(at)])));
    }
    await log.expire('o', 'unheard of');
    expect((await log.read({ owner: 'o' }, ids[0], 10)).gap).toBe(false);
    await log.expire('o', 'x');
    expect((await log.read({ owner: 'o' }, ids[1], 10)).gap).toBe(true);
    const rest = await log.read({ owner: 'o' }, ids[2], 10);
    expect(rest).toMatchObject({ gap: false, events: [{ id: ids[3] }] });
    // What was forgotten first stays a gap after something older is.
    await log.expire('o', 'y');
    expect((await log.read({ owner: 'o' }, ids[2], 10)).gap).toBe(true);
    expect((await log.read({ owner: 'o' }, ids[3], 10)).gap).toBe(false);
    expect(await log.read({ owner: 'o' }, undefined, 10)).toEqual({ events: [], gap: false });
  });

  it('of a queue forgets what the owner’s readers had, and keeps the events of a job as long as the job', async () => {
    const { name, redis, store } = open();
    const log = redisEventLog({ redis, name, keepsOfJobs: true });
    await store.add({ id: 'x', workflow: {}, tenant: 't', events: [event(1)] });
    const [later = ''] = await log.append('t', 'y', [event(2)]);
    const { events } = await log.read({ owner: 't' }, undefined, 10);
    await log.expire('t', 'x');
    await log.expire('t', 'y');
    expect((await log.read({ owner: 't' }, undefined, 10)).events).toEqual([]);
    expect((await log.read({ owner: 't' }, events[0]?.id, 10)).gap).toBe(true);
    expect((await log.read({ owner: 't' }, later, 10)).gap).toBe(false);
    expect((await log.read({ owner: 't', jobId: 'x' }, undefined, 10)).events).toEqual(events.slice(0, 1));
    expect((await log.read({ owner: 't', jobId: 'y' }, undefined, 10)).gap).toBe(true);
  });

  it('has no events of an owner that it does not know, and a gap for a job or a position there', async () => {
    const { log } = open();
    const [id] = await log.append('o', 'x', [event(1)]);
    expect(await log.read({ owner: 'nobody' }, undefined, 10)).toEqual({ events: [], gap: false });
    expect((await log.read({ owner: 'nobody', jobId: 'x' }, undefined, 10)).gap).toBe(true);
    expect((await log.read({ owner: 'nobody' }, id, 10)).gap).toBe(true);
    expect((await log.read({ owner: 'o', jobId: 'y' }, undefined, 10)).gap).toBe(true);
  });

  it('keeps nothing of a job that it forgets', async () => {
    const { name, redis, log } = open();
    await log.append('o', 'x', [event(1)]);
    await log.append('o', 'y', [event(2)]);
    await log.expire('o', 'x');
    expect((await log.read({ owner: 'o', jobId: 'x' }, undefined, 10)).gap).toBe(true);
    const left = await redis.keys(`{promptwire:${name}}:events*`);
    expect(left.toSorted()).toEqual(
      ['events-of:["o","y"]', 'events:o'].map((key) => `{promptwire:${name}}:${key}`),
    );
  });

  it('tells every owner that was asked for once the server is back, since news may be missing', async () => {
    const { name, redis } = open();
    await redis.config('SET', 'appendfsync', 'always');
    const log = redisEventLog({ redis, name });
    const other = open(name).log;
    await log.position('alice');
    await log.read({ owner: 'bob' }, undefined, 1);
    const told = new ReplaySubject<string>(10);
    const watching = log.changes.subscribe(told);
    const channel = `{promptwire:${name}}:appended`;
    while ((await redis.pubsub('NUMSUB', channel))[1] === 0);
    await other.append('carol', 'x', [event(1)]);
    expect(await firstValueFrom(told)).toBe('carol');
    await server().kill();
    await server().start();
    const after = await firstValueFrom(told.pipe(first(3), toArray()));
    expect(after.slice(1).toSorted()).toEqual(['alice', 'bob']);
    watching.unsubscribe();
    await redis.config('SET', 'appendfsync', 'no');
  });
});
