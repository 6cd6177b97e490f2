import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeRedis } from '../../describe-redis.js';
import type { NewJob } from '../../../../src/server/queue/store/job-store.js';
import type { PlacedJob } from '../../../../src/server/queue/servers/server-store.js';
import { redisEventLog } from '../../../../src/server/queue/store/redis-event-log.js';
import { redisJobStore } from '../../../../src/server/queue/store/redis-job-store.js';
import { redisQueueStore } from '../../../../src/server/queue/store/redis-queue-store.js';
import { serverStore } from '../../../../src/server/queue/servers/server-store.js';
import { storeClock } from '../../../../src/server/queue/store/store-clock.js';

const intentOf = (submissionId: string) => ({
  ...{ attempt: 1, worker: 'w', submissionIds: 'jobs' as const, submissionId },
});
const aliveMs = 60_000;

/** What a worker reports of its servers: each up, with so many slots, unless it says otherwise. */
const report = (servers: Readonly<Record<string, object>>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(servers).map(([name, more]) => [
        name,
        { isUp: true, health: 'up', slots: 2, tags: [], ...more },
      ]),
    ),
  );

describeRedis((server) => {
  let names = 0;
  const open = () => {
    const name = `over servers ${(names += 1)}`;
    const redis = server().connect();
    const time = storeClock(() => 0);
    const store = redisJobStore({ redis, name, time });
    const queueStore = redisQueueStore({ redis, name });
    const log = redisEventLog({ redis, name });
    const servers = serverStore({ redis, name, time });
    const prefix = `{promptwire:${name}}:`;
    const add = (id: string, more: Partial<NewJob> = {}) => store.add({ id, workflow: {}, ...more });
    const look = (
      worker = 'w',
      brings: Readonly<Record<string, object>> = { attic: {} },
      most = 64,
      running?: readonly string[],
    ) => servers.snapshot(worker, aliveMs, report(brings), most, running);
    const place = (id: string, more: Partial<Parameters<typeof servers.place>[0]> = {}, worker = 'w') =>
      servers.place(
        { id, server: 'attic', slots: 2, expectedMs: 70.4, models: [], ...more },
        worker,
        aliveMs,
      );
    const placed = async (...call: Parameters<typeof place>): Promise<PlacedJob> => {
      const job = await place(...call);
      if (job === undefined) throw new Error('It was not placed.');
      return job;
    };
    const known = async (of = 'attic') => (await servers.servers()).servers.get(of);
    const uses = async (of = 'attic') => (await known(of))?.uses.map(({ id }) => id).toSorted();
    return { redis, store, queueStore, log, servers, prefix, add, look, place, placed, known, uses };
  };

  describe('a look at a queue over servers', () => {
    it('gives what waits in the order of its turns, as many as are asked for, by tenant and weight', async () => {
      const { add, look, store } = open();
      expect((await look()).first).toEqual([]);
      await store.setWeight('heavy', 2);
      for (const tenant of ['heavy', 'light'])
        for (const nth of [1, 2, 3]) await add(`${tenant} ${nth}`, { tenant });
      await add('first', { tenant: 'light', priority: 1 });
      const all = await look();
      expect(all.waiting).toBe(7);
      expect(all.first.map(({ id }) => id)).toEqual([
        ...['heavy 1', 'heavy 2', 'first', 'heavy 3', 'light 1', 'light 2', 'light 3'],
      ]);
      const some = await look('w', { attic: {} }, 2);
      expect([some.waiting, some.first.map(({ id }) => id)]).toEqual([7, ['heavy 1', 'heavy 2']]);
      const one = await look('w', { attic: {} }, 1);
      expect([one.waiting, one.first.map(({ id }) => id)]).toEqual([7, ['heavy 1']]);
      expect((await look('w', {}, 0)).first).toEqual([]);
    });

    it('gives of each job what it asks, since when it waits, who refused it, and which attempt it is', async () => {
      const { add, look, placed, servers, queueStore } = open();
      const work = JSON.stringify({
        shape: 's',
        models: [],
        needs: 'n',
        guessMs: 1,
        guessLoadMs: 0,
        tags: ['a'],
      });
      await add('x', { work });
      await add('plain');
      const before = await look();
      expect(before.isPaused).toBe(false);
      expect(before.first).toMatchObject([
        { id: 'x', asked: { needs: 'n', tags: ['a'] }, refusedBy: {}, attempt: 1 },
        { id: 'plain', asked: { needs: '' } },
      ]);
      expect(Math.abs(before.now - (before.first[0]?.since ?? 0))).toBeLessThan(60_000);
      const { fence } = await placed('x');
      const why = { _tag: 'failed', reason: 'No memory.', servers: ['attic', 'shed'] } as const;
      expect(await servers.again({ id: 'x', server: 'attic', by: { fence }, why })).toBe(true);
      await queueStore.setPaused('for a while');
      const after = await look();
      expect(after.isPaused).toBe(true);
      expect(after.first).toMatchObject([
        { id: 'x', refusedBy: { attic: 'No memory.', shed: 'No memory.' }, attempt: 2 },
        { id: 'plain' },
      ]);
    });

    it('has delayed jobs wait once their time has come', async () => {
      const { add, look, redis, prefix } = open();
      await add('x', { delayMs: 60_000 });
      expect((await look()).waiting).toBe(0);
      await redis.zadd(`${prefix}delayed`, 1, 'x');
      expect((await look()).first.map(({ id }) => id)).toEqual(['x']);
      expect(await redis.zcard(`${prefix}delayed`)).toBe(0);
    });

    it('tells what living workers report, and forgets those that are dead', async () => {
      const { look, servers, known, redis, prefix, queueStore } = open();
      await look('w', { attic: { slots: 2 }, cellar: { slots: 3 } });
      const seen = await look('other', { attic: { slots: 1 } });
      expect([...(seen.servers.get('attic')?.reports.keys() ?? [])].toSorted()).toEqual(['other', 'w']);
      expect([...seen.servers.keys()].toSorted()).toEqual(['attic', 'cellar']);
      expect((await queueStore.stats()).slots).toBe(4);
      await servers.leave('other');
      expect((await queueStore.stats()).slots).toBe(5);
      const later = await look('w', { attic: { slots: 2 } });
      expect([...(later.servers.get('attic')?.reports.keys() ?? [])]).toEqual(['w']);
      expect(await redis.smembers(`${prefix}workers`)).toEqual(['w']);
      // What was reported last stays known.
      expect((await known('cellar'))?.last).toMatchObject({ slots: 3 });
      expect(await redis.pttl(`${prefix}worker:w`)).toBeGreaterThan(aliveMs - 30_000);
      expect(await redis.pttl(`${prefix}worker:w`)).toBeLessThanOrEqual(aliveMs);
    });

    it('tells since when no worker reaches a server, until one does', async () => {
      const { look, known, servers } = open();
      await look('w', { attic: {}, cellar: {} });
      expect(await known('cellar')).not.toHaveProperty('awaySince');
      const { now } = await look('w', { attic: {}, cellar: { isUp: false } });
      expect((await known('cellar'))?.awaySince).toBe(now);
      await look('w', { attic: {} });
      expect((await known('cellar'))?.awaySince).toBe(now);
      await look('other', { cellar: {} });
      expect(await known('cellar')).not.toHaveProperty('awaySince');
      await servers.leave('other');
      const { now: later } = await look('w', { attic: {} });
      expect((await known('cellar'))?.awaySince).toBe(later);
      expect(await known('attic')).not.toHaveProperty('awaySince');
    });

    it('forgets a server that no worker has brought for an hour, unless jobs use it', async () => {
      const { add, look, placed, known, redis, prefix } = open();
      await look('w', { attic: {}, cellar: {}, shed: {} });
      await add('x');
      await placed('x', { server: 'shed' });
      await redis.hset(`${prefix}loaded`, 'cellar', '["m"]');
      await look('w', { attic: {} });
      const anHourAgo = Date.now() - 3_600_000;
      for (const name of ['cellar', 'shed']) await redis.hset(`${prefix}away`, name, anHourAgo + 60_000);
      await look('w', { attic: {} });
      expect(await known('cellar')).toBeDefined();
      for (const name of ['cellar', 'shed']) await redis.hset(`${prefix}away`, name, anHourAgo - 60_000);
      // One that is down is brought.
      await look('w', { attic: {}, cellar: { isUp: false } });
      expect(await known('cellar')).toBeDefined();
      await look('w', { attic: {} });
      expect([await known('cellar'), (await known('shed'))?.name]).toEqual([undefined, 'shed']);
      expect(await redis.hexists(`${prefix}away`, 'cellar')).toBe(0);
      expect(await redis.hexists(`${prefix}loaded`, 'cellar')).toBe(0);
    });

    it('counts files as gone from a server that is down, and keeps those of one that is unreachable', async () => {
      const { look, redis, prefix } = open();
      for (const name of ['attic', 'cellar']) await redis.hset(`${prefix}has:${name}`, 'hash', '"a.png"');
      await look('w', {
        attic: { isUp: false, health: 'down' },
        cellar: { isUp: false, health: 'checking' },
      });
      expect(await redis.exists(`${prefix}has:attic`)).toBe(0);
      expect(await redis.exists(`${prefix}has:cellar`)).toBe(1);
    });

    it('has the jobs of a dead worker wait again: at their server where that may have them', async () => {
      const { add, look, placed, store, servers, uses, known, queueStore } = open();
      await look();
      await look('other');
      for (const id of ['free', 'sent']) await add(id);
      const [free, sent] = [await placed('free', {}, 'other'), await placed('sent', {}, 'other')];
      await store.intend(sent, intentOf('s'));
      expect((await look()).own).toEqual([]);
      expect((await look('other')).own.toSorted()).toEqual(['free', 'sent']);
      expect(await uses()).toEqual(['free', 'sent']);
      await servers.leave('other');
      const after = await look();
      expect(after.first.map(({ id }) => id)).toEqual(['free']);
      expect([await uses(), (await known())?.open]).toEqual([['sent'], 1]);
      for (const late of [free, sent]) expect(await store.leave(late, 'ended')).toBe(false);
      expect(await store.get('free')).not.toHaveProperty('server');
      expect(await store.get('sent')).toMatchObject({ phase: 'waiting', server: 'attic' });
      expect(await store.get('sent')).not.toHaveProperty('worker');
      expect(await queueStore.stats()).toMatchObject({ waiting: 2, held: 0 });
    });

    it('has a job wait again whose holder does not run it, as the answer that gave it the job never came', async () => {
      const { add, look, placed, store, uses, known } = open();
      await look();
      for (const id of ['runs', 'free', 'sent']) await add(id);
      for (const id of ['runs', 'free', 'sent']) {
        const held = await placed(id, { slots: 3 });
        if (id === 'sent') await store.intend(held, intentOf('s'));
      }
      const after = await look('w', { attic: {} }, 64, ['runs']);
      expect([after.own, after.first.map(({ id }) => id)]).toEqual([['runs'], ['free']]);
      expect([(await uses())?.toSorted(), (await known())?.open]).toEqual([['runs', 'sent'], 1]);
      // What another worker holds is none of its business.
      const other = await look('other', { attic: {} }, 64, []);
      expect(other.own).toEqual([]);
      expect((await look('w', { attic: {} }, 64, ['runs'])).own).toEqual(['runs']);
    });
  });

  describe('a job that a worker takes for a server', () => {
    it('uses a slot there, and is told with the models of the job before', async () => {
      const { add, look, placed, known, store, redis, prefix } = open();
      await look();
      for (const id of ['x', 'y', 'z']) await add(id);
      expect(await placed('x', { models: ['m'] })).toMatchObject({
        ...{ id: 'x', fence: 1, server: 'attic', modelsBefore: [], record: {} },
        job: { phase: 'held', worker: 'w', server: 'attic' },
      });
      expect((await known())?.uses).toMatchObject([{ id: 'x', ms: 70 }]);
      expect((await known())?.models).toEqual(['m']);
      expect((await placed('y', { models: [], slots: 3 })).modelsBefore).toEqual(['m']);
      // A job without models leaves what is loaded.
      expect((await placed('z', { models: ['n'], slots: 3 })).modelsBefore).toEqual(['m']);
      expect((await known())?.models).toEqual(['n']);
      expect(await store.get('x')).toMatchObject({ server: 'attic' });
      expect(await redis.hgetall(`${prefix}turns`)).toEqual({ x: 'x', y: 'y', z: 'z' });
      const use = (await known())?.uses[0];
      expect(Math.abs((use?.at ?? 0) - Date.now())).toBeLessThan(60_000);
    });

    it('keeps its worker alive for so long', async () => {
      const { add, look, servers, redis, prefix } = open();
      await look();
      await add('x');
      await servers.place(
        { id: 'x', server: 'attic', slots: 1, expectedMs: 1, models: [] },
        'w',
        9 * aliveMs,
      );
      expect(await redis.pttl(`${prefix}worker:w`)).toBeGreaterThan(8 * aliveMs);
    });

    it('is not given beyond the slots, at a server that is paused, in a paused queue, or to a worker that is dead', async () => {
      const { add, look, place, servers, queueStore, uses } = open();
      await look();
      for (const id of ['x', 'y', 'z']) await add(id);
      expect(await place('x', {}, 'dead')).toBeUndefined();
      await servers.setMode('attic', 'paused', 'it is cleaned');
      expect(await place('x')).toBeUndefined();
      await servers.setMode('attic', undefined);
      await queueStore.setPaused('for a while');
      expect(await place('x')).toBeUndefined();
      await queueStore.setPaused(undefined);
      expect(await uses()).toEqual([]);
      expect((await place('x', { slots: 1 }))?.id).toBe('x');
      expect(await place('y', { slots: 1 })).toBeUndefined();
      expect((await place('y'))?.id).toBe('y');
      expect(await place('z')).toBeUndefined();
      expect((await place('z', { server: 'cellar' }))?.id).toBe('z');
      expect(await uses()).toEqual(['x', 'y']);
    });

    it('is not given twice, nor where the service may have it, nor one that is not there', async () => {
      const { add, look, place, placed, store } = open();
      await look();
      for (const id of ['x', 'sent', 'answered']) await add(id);
      await placed('x', { slots: 9 });
      expect(await place('x', { slots: 9 })).toBeUndefined();
      expect(await place('unheard of')).toBeUndefined();
      for (const id of ['sent', 'answered']) {
        const held = await placed(id, { slots: 9 });
        await store.intend(held, intentOf(id));
        if (id === 'answered') await store.answered(id, id, 'p');
        await store.leave(held, 'waiting');
        expect(await place(id, { slots: 9 })).toBeUndefined();
      }
    });

    it('that no server can run goes to a worker alone, and uses no slot', async () => {
      const { add, look, placed, servers, uses, store } = open();
      await look();
      await servers.setMode('attic', 'draining');
      await add('x');
      const held = await placed('x', { server: '', slots: 0, models: [] });
      expect(held).toMatchObject({ server: '', modelsBefore: [] });
      expect(await store.get('x')).not.toHaveProperty('server');
      expect(await uses()).toEqual([]);
      expect(await store.leave(held, 'ended', 'no server')).toBe(true);
    });

    it('counts for its tenant as in a queue of an account', async () => {
      const { add, look, placed } = open();
      await look();
      for (const tenant of ['a', 'b']) for (const nth of [1, 2, 3]) await add(`${tenant}${nth}`, { tenant });
      const next = async () => (await look()).first.map(({ id }) => id);
      expect(await next()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
      await placed('a1', { slots: 9 });
      expect(await next()).toEqual(['b1', 'b2', 'a2', 'b3', 'a3']);
      // Out of turn: a server that is better used by it.
      await placed('a2', { slots: 9 });
      expect(await next()).toEqual(['b1', 'b2', 'b3', 'a3']);
      // A tenant that comes late has no turns to catch up on.
      await add('c1', { tenant: 'c' });
      expect(await next()).toEqual(['b1', 'b2', 'c1', 'b3', 'a3']);
      for (const id of ['b1', 'b2', 'c1', 'b3', 'a3']) await placed(id, { slots: 9 });
      expect(await next()).toEqual([]);
      for (const tenant of ['c', 'a', 'd']) await add(`${tenant}4`, { tenant });
      expect(await next()).toEqual(['a4', 'c4', 'd4']);
    });
  });

  describe('a job that a server may have', () => {
    it('goes to a living worker that reaches the server, the oldest first, with its slot', async () => {
      const { add, look, placed, store, servers, uses, known } = open();
      await look();
      for (const id of ['x', 'y']) await add(id);
      for (const id of ['x', 'y']) {
        const held = await placed(id);
        await store.intend(held, intentOf(id));
        await store.leave(held, 'waiting');
      }
      expect([await uses(), (await known())?.open]).toEqual([['x', 'y'], 2]);
      expect(await servers.takeOpen(['attic'], 'dead', aliveMs)).toBeUndefined();
      expect(await servers.takeOpen(['cellar'], 'w', aliveMs)).toBeUndefined();
      expect(await servers.takeOpen(['cellar', 'attic'], 'w', aliveMs)).toMatchObject({
        ...{ id: 'x', fence: 2, server: 'attic', modelsBefore: [] },
        record: { intent: { submissionId: 'x' } },
      });
      expect((await servers.takeOpen(['attic'], 'w', aliveMs))?.id).toBe('y');
      expect(await servers.takeOpen(['attic'], 'w', aliveMs)).toBeUndefined();
      expect((await known())?.uses).toMatchObject([{ ms: 10_000 }, { ms: 10_000 }]);
      expect((await look()).own.toSorted()).toEqual(['x', 'y']);
    });

    it('frees the slot with its end', async () => {
      const { add, look, placed, store, uses } = open();
      await look();
      for (const id of ['x', 'y']) await add(id);
      expect(await store.leave(await placed('x'), 'ended', '', 'completed')).toBe(true);
      expect(await uses()).toEqual([]);
      await store.leave(await placed('y'), 'unknown', 'lost', 'unknown');
      expect(await uses()).toEqual([]);
    });
  });

  describe('a job that is submitted once more', () => {
    const lost = { _tag: 'lost' } as const;

    it('is given up by its holder alone, at its server, and waits again without what was sent', async () => {
      const { add, look, placed, store, servers, uses, known, log } = open();
      await look();
      await add('x', { tenant: 't' });
      const held = await placed('x');
      await store.intend(held, intentOf('s'));
      await store.answered('x', 's', 'p');
      const event = (attempt: number) => ({ type: 'cancelRequested', at: attempt }) as const;
      const call = { id: 'x', server: 'attic', why: lost, event };
      expect(await servers.again({ ...call, by: { fence: 2 } })).toBe(false);
      expect(await servers.again({ ...call, server: 'cellar', by: { fence: 1 } })).toBe(false);
      expect(await servers.again({ ...call, by: { fence: 1 } })).toBe(true);
      expect(await servers.again({ ...call, by: { fence: 1 } })).toBe(false);
      const now = await store.get('x');
      expect(now).toMatchObject({ phase: 'waiting', reruns: 1 });
      for (const name of ['intent', 'promptId', 'worker', 'server']) expect(now).not.toHaveProperty(name);
      expect([await uses(), (await known())?.lost, await servers.givenUp()]).toEqual([[], 1, []]);
      expect(await store.leave(held, 'ended')).toBe(false);
      const { events } = await log.read({ owner: 't', jobId: 'x' }, undefined, 9);
      expect(events.map((one) => one.event)).toEqual([{ type: 'cancelRequested', at: 2 }]);
      const again = await placed('x');
      expect(again).toMatchObject({ fence: 3, record: {} });
      expect(await servers.again({ ...call, by: { fence: 3 } })).toBe(true);
      expect((await log.read({ owner: 't', jobId: 'x' }, undefined, 9)).events.at(-1)?.event.at).toBe(3);
    });

    it('that was refused is no attempt more, and is not lost', async () => {
      const { add, look, placed, servers, store, known } = open();
      await look();
      await add('x');
      const { fence } = await placed('x');
      const refused = (name: string) => ({ _tag: 'refused', reason: `by ${name}`, servers: [name] }) as const;
      await servers.again({ id: 'x', server: 'attic', by: { fence }, why: refused('attic') });
      expect(await store.get('x')).not.toHaveProperty('reruns');
      const other = await placed('x', { server: 'cellar' });
      await servers.again({ id: 'x', server: 'cellar', by: { fence: other.fence }, why: refused('cellar') });
      expect((await look()).first[0]?.refusedBy).toEqual({ attic: 'by attic', cellar: 'by cellar' });
      expect((await known())?.lost).toBe(0);
      const third = await placed('x', { server: 'shed' });
      await servers.again({
        id: 'x',
        server: 'shed',
        by: { fence: third.fence },
        why: { ...refused('shed'), _tag: 'failed' },
      });
      expect((await store.get('x'))?.reruns).toBe(1);
    });

    it.each(['held', 'waiting'] as const)(
      'where its server was away for as long as that, by any worker, while it is %s',
      async (phase) => {
        const { add, look, placed, store, servers, uses, known, redis, prefix } = open();
        await look('w', { attic: {} });
        await add('x');
        const held = await placed('x');
        await store.intend(held, intentOf('s'));
        if (phase === 'waiting') await store.leave(held, 'waiting');
        const by = { awayMs: 60_000 };
        const again = () => servers.again({ id: 'x', server: 'attic', by, why: lost });
        expect(await again()).toBe(false);
        await look('w', { attic: { isUp: false } });
        expect(await again()).toBe(false);
        await redis.hset(`${prefix}away`, 'attic', Date.now() - 61_000);
        expect(await again()).toBe(true);
        expect(await again()).toBe(false);
        // The copy may run on there.
        expect([await uses(), await servers.givenUp(), (await known())?.open]).toEqual([
          ['late:s'],
          [['s', 'attic']],
          0,
        ]);
        expect((await known())?.uses[0]?.ms).toBe(0);
        expect((await look('w', { cellar: {} })).first).toMatchObject([{ id: 'x', attempt: 2 }]);
        await servers.lateEnd('s', 'attic', true);
        await servers.lateEnd('s', 'attic', true);
        expect([await uses(), await servers.givenUp(), (await known())?.lateEnds]).toEqual([[], [], 1]);
      },
    );

    it('keeps no copy of a job that was never sent, nor gives up one that is over', async () => {
      const { add, look, placed, store, servers, uses, redis, prefix } = open();
      await look();
      for (const id of ['x', 'y', 'answered']) await add(id);
      await placed('x', { slots: 9 });
      await store.leave(await placed('y', { slots: 9 }), 'ended', '', 'completed');
      const answered = await placed('answered', { slots: 9 });
      await store.intend(answered, intentOf('s'));
      await store.answered('answered', 's', 'p');
      await redis.hset(`${prefix}away`, 'attic', 1);
      const again = (id: string) => servers.again({ id, server: 'attic', by: { awayMs: 1 }, why: lost });
      expect([await again('x'), await again('y'), await again('answered')]).toEqual([true, false, true]);
      // The id of the service goes before that of the submission.
      expect([await uses(), await servers.givenUp()]).toEqual([['late:p'], [['p', 'attic']]]);
      await servers.lateEnd('p', 'attic', false);
      expect([await uses(), await servers.givenUp()]).toEqual([[], []]);
    });
  });

  it('counts the ends of jobs at each server, and keeps what the last runs took', async () => {
    const { look, servers, known } = open();
    await look('w', { attic: {}, cellar: {} });
    for (const kind of ['done', 'done', 'failed', 'late'] as const) await servers.count(kind, 'attic');
    expect(await known()).toMatchObject({ done: 2, failed: 1, lost: 0, lateEnds: 1 });
    expect(await known('cellar')).toMatchObject({ done: 0, failed: 0, lost: 0, lateEnds: 0 });
    const run = {
      server: 'attic',
      shape: 's',
      models: [],
      modelsBefore: [],
      guessMs: 1,
      guessLoadMs: 0,
      ms: 5,
    };
    await servers.addRun(run);
    for (const ms of [6, 7]) await servers.addRun({ ...run, ms });
    const all = await servers.runsAfter('0');
    expect(all.runs).toEqual([run, { ...run, ms: 6 }, { ...run, ms: 7 }]);
    expect(await servers.runsAfter(all.position)).toEqual({ runs: [], position: all.position });
  });

  it('law: the slots of a server are those of the jobs that it may run, no job has two holders, and none is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 30, size: 'max' }), async (commands) => {
        const { redis, prefix, store, queueStore, servers, add, look, place } = open();
        const model = new Model();
        for (const name of workers) await look(name, { [bringsOf[name]]: {} });
        const check = async (): Promise<void> => {
          const { waiting, held } = await queueStore.stats();
          expect([waiting, held]).toEqual([model.count('waits') + model.count('open'), model.count('held')]);
          const all = (await servers.servers()).servers;
          for (const name of Object.values(bringsOf)) {
            expect(
              all
                .get(name)
                ?.uses.map(({ id }) => id)
                .toSorted(),
            ).toEqual(model.uses(name));
            expect(all.get(name)?.open).toBe(
              model.all().filter((job) => job.is === 'open' && job.at === name).length,
            );
          }
          for (const job of model.all())
            if (job.fence > 0)
              expect(await store.leave({ id: job.id, fence: job.fence - 1 }, 'ended')).toBe(false);
        };
        for (const one of commands) {
          const worker = workers[one.nth % 2] ?? 'a';
          const job = model.all()[one.nth % Math.max(1, model.all().length)];
          if (one.do === 'add') await add(model.add());
          else if (one.do === 'look') {
            await look(worker, { [bringsOf[worker]]: {} });
            model.look(worker);
          } else if (one.do === 'die') {
            await servers.leave(worker);
            model.living.delete(worker);
          } else if (one.do === 'take what is open') {
            const taken = await servers.takeOpen([bringsOf[worker]], worker, aliveMs);
            expect(taken?.id).toBe(model.takeOpen(worker));
          } else if (job !== undefined) {
            const { id, fence, at } = job;
            if (one.do === 'place') {
              const taken = await place(id, { server: bringsOf[worker], slots: 2 }, worker);
              expect(taken !== undefined).toBe(model.place(job, worker));
            } else if (one.do === 'send') {
              const kept = await store.intend({ id, fence }, intentOf(`${id} ${fence}`));
              expect(kept !== undefined).toBe(model.send(job));
            } else if (one.do === 'leave' || one.do === 'end') {
              const phase = one.do === 'leave' ? 'waiting' : 'ended';
              expect(await store.leave({ id, fence }, phase)).toBe(model.leave(job, one.do === 'end'));
            } else if (one.do === 'lose') {
              const done = await servers.again({ id, server: at, by: { fence }, why: { _tag: 'lost' } });
              expect(done).toBe(model.lose(job));
            } else {
              // As where the server was away for long.
              if (model.away.has(at)) await redis.hset(`${prefix}away`, at, 1);
              const done = await servers.again({
                id,
                server: at,
                by: { awayMs: 60_000 },
                why: { _tag: 'lost' },
              });
              expect(done).toBe(model.giveUp(job));
            }
          }
          await check();
        }
      }),
      { numRuns: 25 },
    );
  });
});

const workers = ['a', 'b'] as const;
type Worker = (typeof workers)[number];
const bringsOf = { a: 'attic', b: 'cellar' } as const;

type Command = {
  readonly do:
    'add' | 'place' | 'send' | 'leave' | 'end' | 'lose' | 'give up' | 'look' | 'die' | 'take what is open';
  readonly nth: number;
};

const command: fc.Arbitrary<Command> = fc.record({
  do: fc.constantFrom(
    ...(['add', 'add', 'place', 'place', 'place', 'send', 'send', 'leave', 'end', 'lose'] as const),
    ...(['give up', 'look', 'look', 'die', 'take what is open'] as const),
  ),
  nth: fc.nat({ max: 6 }),
});

interface ModelJob {
  readonly id: string;
  is: 'waits' | 'held' | 'open' | 'over';
  /** Its server, or an empty text. */
  at: string;
  by?: Worker | undefined;
  /** The submission that its server may have. */
  sent?: string | undefined;
  fence: number;
}

/** What a queue over servers is to be, by plain lists: two workers, each with a server of its own that has two slots. */
class Model {
  readonly living = new Set<Worker>(workers);
  /** The servers that no worker reached at the last look. */
  readonly away = new Set<string>();
  private readonly jobs: ModelJob[] = [];
  /** The copies that were given up, and their servers. */
  private readonly late: (readonly [submission: string, server: string])[] = [];

  all(): readonly ModelJob[] {
    return this.jobs;
  }

  count(is: ModelJob['is']): number {
    return this.jobs.filter((job) => job.is === is).length;
  }

  uses(server: string): readonly string[] {
    const own = this.jobs.filter(({ is, at }) => (is === 'held' || is === 'open') && at === server);
    const late = this.late.filter(([, at]) => at === server).map(([submission]) => `late:${submission}`);
    return [...own.map(({ id }) => id), ...late].toSorted();
  }

  add(): string {
    const id = `job ${this.jobs.length}`;
    this.jobs.push({ id, is: 'waits', at: '', fence: 0 });
    return id;
  }

  place(job: ModelJob, worker: Worker): boolean {
    if (job.is !== 'waits' || !this.living.has(worker) || this.uses(bringsOf[worker]).length >= 2)
      return false;
    Object.assign(job, { is: 'held', by: worker, at: bringsOf[worker], fence: job.fence + 1 });
    return true;
  }

  takeOpen(worker: Worker): string | undefined {
    const job = this.jobs.find(({ is, at }) => is === 'open' && at === bringsOf[worker]);
    if (job === undefined || !this.living.has(worker)) return undefined;
    Object.assign(job, { is: 'held', by: worker, fence: job.fence + 1 });
    return job.id;
  }

  send(job: ModelJob): boolean {
    if (job.is !== 'held') return false;
    job.sent = `${job.id} ${job.fence}`;
    return true;
  }

  leave(job: ModelJob, isEnd: boolean): boolean {
    if (job.is !== 'held') return false;
    if (isEnd) job.is = 'over';
    else this.waitAgain(job);
    return true;
  }

  lose(job: ModelJob): boolean {
    if (job.is !== 'held') return false;
    job.sent = undefined;
    job.fence += 1;
    this.waitAgain(job);
    return true;
  }

  giveUp(job: ModelJob): boolean {
    if ((job.is !== 'held' && job.is !== 'open') || !this.away.has(job.at)) return false;
    if (job.sent !== undefined) this.late.push([job.sent, job.at]);
    return this.lose(Object.assign(job, { is: 'held' }));
  }

  look(worker: Worker): void {
    this.living.add(worker);
    for (const job of this.jobs) {
      if (job.is !== 'held' || job.by === undefined || this.living.has(job.by)) continue;
      job.fence += 1;
      this.waitAgain(job);
    }
    for (const one of workers)
      if (this.living.has(one)) this.away.delete(bringsOf[one]);
      else this.away.add(bringsOf[one]);
  }

  private waitAgain(job: ModelJob): void {
    job.by = undefined;
    if (job.sent !== undefined) job.is = 'open';
    else Object.assign(job, { is: 'waits', at: '' });
  }
}
