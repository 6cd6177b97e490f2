import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeRedis } from '../../describe-redis.js';
import type { JobRecord } from '../../../../src/server/joblog/job-index.js';
import { redisJobIndex } from '../../../../src/server/queue/store/redis-job-index.js';

const day = 24 * 60 * 60 * 1000;

describeRedis((server) => {
  let names = 0;
  const open = (bounds: { readonly maxJobs?: number; readonly maxSize?: number } = {}) => {
    const name = `index ${(names += 1)}`;
    const redis = server().connect();
    const index = redisJobIndex({ redis, name, ...bounds });
    const { leases } = index;
    if (leases === undefined) throw new Error('It has no leases.');
    return { redis, index, leases, prefix: `{promptwire:${name}}:` };
  };
  const record = (id: string, more: Partial<JobRecord> = {}): JobRecord => ({
    ...{ id, owner: 'o', client: 'default', createdAt: Date.now(), expiresAt: 10, submissionId: `s-${id}` },
    workflow: {},
    ...more,
  });
  const ended = (at = 5) => ({ ended: { phase: 'completed', at } }) as const;
  const idsOf = (records: readonly JobRecord[]) => records.map(({ id }) => id);
  const lease = (process: string, forMs = 60_000) => ({ process, forMs });

  it('gives the lease of a job that is over to no process, and renews it no more', async () => {
    const { redis, index, leases, prefix } = open();
    await index.add(record('x'), lease('p', 0));
    await index.add(record('y'), lease('p', 0));
    await index.update('x', { promptId: 'a' });
    await index.update('y', ended());
    expect(idsOf(await leases.acquire(lease('q')))).toEqual(['x']);
    await index.update('x', ended());
    expect(await leases.renew(['x'], lease('q', 0))).toEqual([]);
    expect(await leases.acquire(lease('r'))).toEqual([]);
    expect(await redis.exists(`${prefix}open`)).toBe(0);
  });

  it('gives a lease once its time is over, by the server’s clock, and not before', async () => {
    const { index, leases } = open();
    await index.add(record('x'), lease('p'));
    expect(await leases.acquire(lease('q'))).toEqual([]);
    expect(await leases.renew(['x'], lease('q', 0))).toEqual(['x']);
    expect(await leases.acquire(lease('q'))).toEqual([]);
    expect(await leases.renew(['x'], lease('p', 0))).toEqual([]);
    expect(idsOf(await leases.acquire(lease('q')))).toEqual(['x']);
    expect(await leases.renew(['x'], lease('p'))).toEqual(['x']);
    expect(await leases.renew([], lease('p'))).toEqual([]);
    // The one that has it now has it for as long as it asked for.
    expect(await leases.acquire(lease('r'))).toEqual([]);
    await leases.renew(['x'], lease('q', 0));
    expect(idsOf(await leases.acquire(lease('r', 0)))).toEqual(['x']);
    expect(idsOf(await leases.acquire(lease('s')))).toEqual(['x']);
    expect(await leases.acquire(lease('t'))).toEqual([]);
  });

  it('keeps the key of a job for as long as it runs, and until a day after its creation once it is forgotten', async () => {
    const { redis, index, prefix } = open();
    const key = `${prefix}key:["o","k"]`;
    const old = record('x', { key: 'k', createdAt: Date.now() - 2 * day });
    await index.add(old);
    expect(await redis.pttl(key)).toBe(-1);
    expect(await index.add(record('y', { key: 'k' }))).toMatchObject({
      _tag: 'keyUsed',
      existing: { id: 'x' },
    });
    await index.update('x', ended());
    expect(await redis.pttl(key)).toBe(-1);
    await index.expire(10);
    expect(await redis.exists(key)).toBe(0);

    const young = record('z', { key: 'k' });
    await index.add(young);
    await index.update('z', ended());
    expect(idsOf(await index.expire(10))).toEqual(['z']);
    expect(await redis.pexpiretime(key)).toBe(young.createdAt + day);
    expect(await index.add(record('y', { key: 'k' }))).toEqual({ _tag: 'keyUsed' });
    expect((await index.add(record('y', { key: 'k', owner: 'other' })))._tag).toBe('added');
  });

  it('gives a key back with the job that is taken back', async () => {
    const { index } = open();
    await index.add(record('x', { key: 'k' }));
    await index.remove('x');
    await index.remove('x');
    expect(await index.get('x')).toBeUndefined();
    expect((await index.add(record('y', { key: 'k' })))._tag).toBe('added');
    expect(idsOf(await index.list('o', { limit: 10 }))).toEqual(['y']);
  });

  it('adds once what is sent twice, with a key and without one', async () => {
    const { index } = open({ maxJobs: 2 });
    for (const one of [record('x', { key: 'k' }), record('y')]) {
      expect(await index.add(one)).toEqual({ _tag: 'added', evicted: [] });
      expect(await index.add(one)).toEqual({ _tag: 'added', evicted: [] });
    }
    expect(idsOf(await index.list(undefined, { limit: 10 }))).toEqual(['y', 'x']);
  });

  it('changes nothing of a record that is gone, and nothing by an empty change', async () => {
    const { redis, index, prefix } = open();
    await index.update('x', { promptId: 'p' });
    expect(await redis.exists(`${prefix}job:x`)).toBe(0);
    await index.add(record('x'));
    await index.update('x', {});
    expect(await index.get('x')).toEqual(record('x', { createdAt: expect.any(Number) as never }));
  });

  it('forgets at most 500 records at once, those whose time has come', async () => {
    const { index } = open();
    for (let nth = 0; nth < 501; nth += 1) await index.add(record(`x${nth}`));
    await index.add(record('late', { expiresAt: 11 }));
    for (let nth = 0; nth < 501; nth += 1) await index.update(`x${nth}`, ended());
    await index.update('late', ended());
    await index.add(record('running', { expiresAt: 1 }));
    expect(await index.expire(9)).toEqual([]);
    expect(await index.expire(10)).toHaveLength(500);
    expect(await index.expire(10)).toHaveLength(1);
    expect(idsOf(await index.list('o', { limit: 10 }))).toEqual(['running', 'late']);
  });

  it('stays within its bytes: the oldest jobs that are over make room, as many as it takes', async () => {
    const size = JSON.stringify(record('a')).length;
    const { redis, index, prefix } = open({ maxSize: 3 * size });
    for (const id of ['a', 'b', 'c']) expect((await index.add(record(id)))._tag).toBe('added');
    expect(await redis.get(`${prefix}bytes`)).toBe(String(3 * size));
    expect(await index.add(record('d'))).toMatchObject({ _tag: 'full' });
    // The one that was submitted first goes first, however late it ended.
    await index.update('b', ended(1));
    await index.update('a', ended(2));
    const one = await index.add(record('d'));
    expect(one._tag === 'added' && idsOf(one.evicted)).toEqual(['a']);
    await index.update('c', ended(3));
    const wide = record('e', { submissionId: `s-e${'x'.repeat(size)}` });
    const two = await index.add(wide);
    expect(two._tag === 'added' && idsOf(two.evicted)).toEqual(['b', 'c']);
    expect(await redis.get(`${prefix}bytes`)).toBe(String(size + JSON.stringify(wide).length));
    expect(await index.add(record('f'))).toMatchObject({ _tag: 'full' });
    expect(idsOf(await index.list('o', { limit: 10 }))).toEqual(['e', 'd']);
  });

  it('leaves nothing of a record that it forgets but its key', async () => {
    const { redis, index, prefix } = open();
    await index.add(record('x', { key: 'k' }), lease('p'));
    await index.update('x', ended());
    await index.expire(10);
    const left = await redis.keys(`${prefix}*`);
    expect(left.toSorted()).toEqual([`${prefix}bytes`, `${prefix}key:["o","k"]`, `${prefix}seq`]);
    await index.add(record('y'), lease('p'));
    await index.remove('y');
    expect((await redis.keys(`${prefix}*`)).toSorted()).toEqual(left.toSorted());
  });

  it('law: a lease is of one process at most, and what is over or taken back is of none', async () => {
    const ids = ['a', 'b', 'c'];
    const command = fc.oneof(
      fc.record({
        do: fc.constant('add' as const),
        id: fc.constantFrom(...ids),
        by: fc.constantFrom('p', 'q'),
      }),
      fc.record({
        do: fc.constant('renew' as const),
        by: fc.constantFrom('p', 'q', 'r'),
        live: fc.boolean(),
      }),
      fc.record({
        do: fc.constant('acquire' as const),
        by: fc.constantFrom('p', 'q', 'r'),
        live: fc.boolean(),
      }),
      fc.record({ do: fc.constantFrom('end' as const, 'remove' as const), id: fc.constantFrom(...ids) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
        const { index, leases } = open();
        /** Who holds what, and whether the time of the lease is over; by these, none who is not here holds anything. */
        const model = new Map<string, { by: string; isLive: boolean; isOver: boolean }>();
        for (const one of commands) {
          if (one.do === 'add') {
            await index.add(record(one.id), lease(one.by));
            if (!model.has(one.id)) model.set(one.id, { by: one.by, isLive: true, isOver: false });
          } else if (one.do === 'renew') {
            const lost = await leases.renew(ids, lease(one.by, one.live ? 60_000 : 0));
            const own = ids.filter((id) => model.get(id)?.by === one.by);
            expect(lost).toEqual(ids.filter((id) => !own.includes(id)));
            for (const id of own) Object.assign(model.get(id) ?? {}, { isLive: one.live });
          } else if (one.do === 'acquire') {
            const free = ids.filter(
              (id) => model.get(id)?.isLive === false && model.get(id)?.isOver === false,
            );
            const got = await leases.acquire(lease(one.by, one.live ? 60_000 : 0));
            expect(idsOf(got).toSorted()).toEqual(free);
            for (const id of free) Object.assign(model.get(id) ?? {}, { by: one.by, isLive: one.live });
          } else if (one.do === 'end') {
            await index.update(one.id, ended());
            Object.assign(model.get(one.id) ?? {}, { isOver: true });
          } else {
            await index.remove(one.id);
            model.delete(one.id);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
