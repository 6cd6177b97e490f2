import { expect, it } from 'vitest';
import { describeRedis } from '../describe-redis.js';
import { isAJobIndex } from '../../gateway/ports/index-contract.js';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import { redisJobIndex } from '../../../src/server/queue/store/redis-job-index.js';

describeRedis((server) => {
  let names = 0;
  const open = () => {
    const name = `an index ${(names += 1)}`;
    const redis = server().connect();
    return { redis, prefix: `{promptwire:${name}}:`, index: redisJobIndex({ redis, name }) };
  };
  const record = (id: string, more: Partial<JobRecord> = {}): JobRecord => ({
    ...{ id, owner: 'o', client: 'default', createdAt: 1, expiresAt: 10, submissionId: `s-${id}` },
    workflow: { 1: { class_type: 'A', inputs: { seed: 2n ** 60n } } },
    ...more,
  });

  isAJobIndex(
    (name, limits) =>
      Promise.resolve(
        redisJobIndex({
          ...{ redis: server().connect(), name },
          ...{ maxJobs: limits?.maxJobs, maxSize: limits?.maxSize },
        }),
      ),
    25,
    true,
    { maxJobs: 3, maxKeys: Infinity, clock: 'server' },
  );

  it('leaves out of a list a record that another process forgets meanwhile', async () => {
    const { index, redis, prefix } = open();
    for (const id of ['1', '2', '3']) await index.add(record(id));
    await redis.del(`${prefix}job:2`);
    expect((await index.list('o', { limit: 10 })).map(({ id }) => id)).toEqual(['3', '1']);
  });

  it('keeps what becomes known of a job, its place included, until it is changed again', async () => {
    const { index } = open();
    await index.add(record('x'));
    const place = { server: 'attic', attempt: 2, submissionIds: 'jobs' } as const;
    await index.update('x', { place, promptId: 'p' });
    expect(await index.get('x')).toEqual(record('x', { place, promptId: 'p' }));
    await index.update('x', { place: { ...place, server: 'cellar' } });
    expect((await index.get('x'))?.place?.server).toBe('cellar');
    expect(await index.get('y')).toBeUndefined();
  });

  it('makes room for bytes by the oldest job of the owner that has most bytes, not most jobs', async () => {
    const { redis } = open();
    const index = redisJobIndex({ redis, name: 'room', maxJobs: 5, maxSize: 6_000 });
    const ended = async (id: string, owner: string, length: number) => {
      await index.add(record(id, { owner, metadata: { of: 'x'.repeat(length) } }));
      await index.update(id, { ended: { phase: 'completed', at: 2 } });
    };
    for (const id of ['1', '2', '3']) await ended(id, 'many', 100);
    await ended('4', 'big', 3_000);
    const added = await index.add(record('5', { owner: 'new', metadata: { of: 'x'.repeat(2_500) } }));
    expect(added).toMatchObject({ _tag: 'added', evicted: [{ id: '4' }] });
  });

  it('leaves a job without a lease to the process that asks first', async () => {
    const { index } = open();
    await index.add(record('x'));
    const got = await index.leases?.acquire({ process: 'p', forMs: 60_000 });
    expect(got).toEqual([record('x')]);
    expect(await index.leases?.acquire({ process: 'q', forMs: 60_000 })).toEqual([]);
  });
});
