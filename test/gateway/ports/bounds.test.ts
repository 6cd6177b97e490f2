import { describe, expect, it } from 'vitest';
import { life } from '../support.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { statusOf } from '../../../src/core/events/state-members.js';

const record = (id: string, key?: string) => ({
  id,
  owner: 'alice',
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
    expect(await index.add(record('c'))).toEqual({ _tag: 'full' });
    await index.update('b', { ended: { phase: 'completed', at: 2 } });
    expect(await index.add(record('c'))).toMatchObject({ _tag: 'added', evicted: [{ id: 'b' }] });
    expect(await index.add(record('d', 'k'))).toEqual({ _tag: 'keyUsed' });
    await index.update('c', { ended: { phase: 'completed', at: 2 } });
    expect((await index.expire(dayMs + 1)).map(({ id }) => id)).toEqual(['c']);
    expect(await index.add(record('d', 'k'))).toMatchObject({ _tag: 'added' });
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
