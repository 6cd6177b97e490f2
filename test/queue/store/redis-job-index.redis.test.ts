import { expect, it } from 'vitest';
import { describeRedis } from '../redis.js';
import type { JobRecord } from '../../../src/gateway/ports/job-index.js';
import { redisJobIndex } from '../../../src/queue/store/redis-job-index.js';

describeRedis((server) => {
  let names = 0;
  const open = () => {
    const name = `index ${(names += 1)}`;
    const redis = server().connect();
    return { redis, prefix: `{promptwire:${name}}:`, index: redisJobIndex({ redis, name }) };
  };
  const record = (id: string, more: Partial<JobRecord> = {}): JobRecord => ({
    ...{ id, owner: 'o', client: 'default', createdAt: 1, expiresAt: 10, submissionId: `s-${id}` },
    workflow: { 1: { class_type: 'A', inputs: { seed: 2n ** 60n } } },
    ...more,
  });

  it('gives back a record as it was added, with what was changed since', async () => {
    const { index } = open();
    await index.add(record('x', { key: 'k' }));
    expect(await index.get('x')).toEqual(record('x', { key: 'k' }));
    await index.update('x', { promptId: 'p' });
    expect(await index.get('x')).toEqual(record('x', { key: 'k', promptId: 'p' }));
    await index.update('x', { cancelRequestedAt: 3, expiresAt: 20 });
    const changed = record('x', { key: 'k', promptId: 'p', cancelRequestedAt: 3, expiresAt: 20 });
    expect(await index.get('x')).toEqual(changed);
    await index.update('x', { ended: { phase: 'failed', at: 5 } });
    expect(await index.get('x')).toEqual({ ...changed, ended: { phase: 'failed', at: 5 } });
    expect(await index.get('unheard of')).toBeUndefined();
  });

  it('lists the records of an owner or of all, the newest first, page by page', async () => {
    const { index, redis, prefix } = open();
    for (const id of ['1', '2', '3']) await index.add(record(id));
    await index.add(record('4', { owner: 'other' }));
    const list = async (owner: string | undefined, limit: number, after?: string) =>
      (await index.list(owner, { limit, after })).map(({ id }) => id);
    expect(await list('o', 2)).toEqual(['3', '2']);
    expect(await list('o', 2, '2')).toEqual(['1']);
    expect(await list(undefined, 10)).toEqual(['4', '3', '2', '1']);
    expect(await list('other', 10)).toEqual(['4']);
    expect(await list('o', 10, '4')).toEqual([]);
    expect(await list(undefined, 10, 'unheard of')).toEqual([]);
    // One that another process forgets between the two reads.
    await redis.del(`${prefix}job:2`);
    expect(await list('o', 10)).toEqual(['3', '1']);
  });

  it('leaves a job without a lease to the process that asks first', async () => {
    const { index } = open();
    await index.add(record('x'));
    const got = await index.leases?.acquire({ process: 'p', forMs: 60_000 });
    expect(got).toEqual([record('x')]);
    expect(await index.leases?.acquire({ process: 'q', forMs: 60_000 })).toEqual([]);
  });
});
