import { describe, expect, it } from 'vitest';
import { life } from '../support.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { statusOf } from '../../../src/core/events/state-members.js';

const record = (id: string, key?: string, owner = 'alice') => ({
  id,
  owner,
  client: 'default',
  createdAt: 1,
  expiresAt: 10,
  workflow: {},
  submissionId: `s-${id}`,
  ...(key !== undefined && { key }),
});

const dayMs = 24 * 60 * 60 * 1000;

describe('the ports in memory', () => {
  it('let the oldest job that has ended make room, and keep its key used for a day', async () => {
    const index = memoryJobIndex({ maxJobs: 2 });
    await index.add(record('a'));
    await index.add(record('b', 'k'));
    expect(await index.add(record('c'))).toEqual({ _tag: 'full', whose: 'all' });
    await index.update('b', { ended: { phase: 'completed', at: 2 } });
    expect(await index.add(record('c'))).toMatchObject({ _tag: 'added', evicted: [{ id: 'b' }] });
    expect(await index.add(record('d', 'k'))).toEqual({ _tag: 'keyUsed' });
    await index.update('c', { ended: { phase: 'completed', at: 2 } });
    expect((await index.expire(dayMs + 1)).map(({ id }) => id)).toEqual(['c']);
    expect(await index.add(record('d', 'k'))).toMatchObject({ _tag: 'added' });
  });

  it('T4 let the jobs of the owner make room that holds most, by number or by size', async () => {
    const ended = { ended: { phase: 'completed', at: 2 } } as const;
    const byNumber = memoryJobIndex({ maxJobs: 4 });
    for (const [id, owner] of [
      ['old', 'bob'],
      ['1', 'alice'],
      ['2', 'alice'],
      ['3', 'alice'],
    ] as const)
      await byNumber.add(record(id, undefined, owner));
    for (const id of ['old', '2', '3']) await byNumber.update(id, ended);
    const more = async (id: string, owner: string) => {
      const answer = await byNumber.add(record(id, undefined, owner));
      return answer._tag === 'added' ? answer.evicted.map((one) => one.id) : answer;
    };
    expect(await more('4', 'bob')).toEqual(['2']);
    // Of two that hold as much it is the last one by name.
    expect(await more('5', 'carol')).toEqual(['old']);
    expect(await more('6', 'carol')).toEqual(['3']);
    expect(await more('7', 'carol')).toEqual({ _tag: 'full', whose: 'all' });

    const large = (id: string, owner: string) => ({
      ...record(id, undefined, owner),
      workflow: { 1: { class_type: 'A', inputs: { text: 'x'.repeat(1_000) } } },
    });
    const bySize = memoryJobIndex({ maxSize: 3_000 });
    await bySize.add(record('small 1', undefined, 'bob'));
    await bySize.add(record('small 2', undefined, 'bob'));
    await bySize.add(large('large', 'alice'));
    for (const id of ['small 1', 'small 2', 'large']) await bySize.update(id, ended);
    expect(await bySize.add(large('next', 'carol'))).toMatchObject({ evicted: [] });
    expect(await bySize.add(large('last', 'carol'))).toMatchObject({ evicted: [{ id: 'large' }] });
  });

  it('T4 let only jobs of its owner make room for what exceeds its share', async () => {
    const index = memoryJobIndex();
    const share = { maxSize: 300 };
    await index.add(record('of bob', undefined, 'bob'));
    await index.update('of bob', { ended: { phase: 'completed', at: 2 } });
    for (const id of ['1', '2', '3']) await index.add(record(id), undefined, share);
    expect(await index.add(record('4'), undefined, share)).toEqual({ _tag: 'full', whose: 'owner' });
    expect(await index.add(record('other', undefined, 'carol'), undefined, share)).toMatchObject({
      _tag: 'added',
    });
    await index.update('2', { ended: { phase: 'completed', at: 2 } });
    expect(await index.add(record('4'), undefined, share)).toMatchObject({ evicted: [{ id: '2' }] });
    expect(await index.get('of bob')).toBeDefined();
  });

  it('T4 forget the events of the caller that has most, by number or by size, and keep those of others', async () => {
    const event = { type: 'cancelRequested', at: 1 } as const;
    const log = memoryEventLog({ maxEvents: 6 });
    await log.append('bob', 'old', [event, event]);
    await log.append('alice', 'first', [event]);
    for (let at = 0; at < 9; at += 1) await log.append('alice', 'flood', [event]);
    expect((await log.read({ owner: 'bob' }, undefined, 9)).events).toHaveLength(2);
    expect((await log.read({ owner: 'alice', jobId: 'first' }, undefined, 9)).gap).toBe(true);

    const large = { type: 'status', at: 1, status: statusOf(life('p').at(-1)!) } as const;
    const bySize = memoryEventLog({ maxSize: 1_000 });
    await bySize.append('bob', 'old', [event, event, event]);
    for (let at = 0; at < 9; at += 1) await bySize.append('alice', `job ${at}`, [large]);
    expect((await bySize.read({ owner: 'bob' }, undefined, 9)).events).toHaveLength(3);
    expect((await bySize.read({ owner: 'alice', jobId: 'job 0' }, undefined, 9)).gap).toBe(true);
    expect((await bySize.read({ owner: 'alice', jobId: 'job 8' }, undefined, 9)).gap).toBe(false);
  });

  it('forget the events of ended jobs first, then the oldest, and call what is gone a gap', async () => {
    const log = memoryEventLog({ maxEvents: 4 });
    const event = { type: 'cancelRequested', at: 1 } as const;
    const end = { type: 'status', at: 1, status: statusOf(life('p').at(-1)!) } as const;
    const [live] = await log.append('alice', 'live', [event]);
    const [, ended] = await log.append('alice', 'ended', [event, end]);
    await log.append('alice', 'next', [event, event]);
    expect(await log.read({ owner: 'alice', jobId: 'ended' }, undefined, 9)).toEqual({
      events: [],
      gap: true,
      // What it had come to stays.
      rest: {
        ...{ id: ended, jobId: 'ended' },
        event: expect.objectContaining({ type: 'submitted', at: 1 }) as unknown,
      },
    });
    expect((await log.read({ owner: 'alice' }, live, 9)).gap).toBe(true);
    const after = await log.read({ owner: 'alice' }, ended, 9);
    expect(after.events.map(({ jobId }) => jobId)).toEqual(['next', 'next']);
    await log.append('alice', 'next', [event, event]);
    expect((await log.read({ owner: 'alice', jobId: 'live' }, undefined, 9)).gap).toBe(true);
    expect((await log.read({ owner: 'alice', jobId: 'next' }, undefined, 9)).events).toHaveLength(4);
  });
});
