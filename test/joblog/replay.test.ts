import { describe, expect, it } from 'vitest';
import type { EventLog } from '../../src/server/joblog/event-log.js';
import { memoryEventLog } from '../../src/server/gateway/store/memory-event-log.js';
import { replay } from '../../src/server/joblog/replay.js';

const scope = { owner: 'alice', jobId: 'x' };
const cancel = { type: 'cancelRequested', at: 1 } as const;
const append = (log: EventLog, count: number, jobId = 'x') =>
  log.append(
    'alice',
    jobId,
    Array.from({ length: count }, () => cancel),
  );

describe('the replay of a job', () => {
  it('has all of its events, over several pages and between those of other jobs', async () => {
    const log = memoryEventLog();
    const ids = [
      ...(await append(log, 1_500)),
      ...(await append(log, 3, 'y')),
      ...(await append(log, 1_000)),
    ];
    const own = [...ids.slice(0, 1_500), ...ids.slice(1_503)];
    const { events, isWhole } = await replay(log, scope);
    expect([events.map(({ id }) => id), isWhole]).toEqual([own, true]);
    const upTo = await replay(log, scope, ids[1_502]);
    expect(upTo.events.map(({ id }) => id)).toEqual(own.slice(0, 1_500));
    expect((await replay(log, scope, own[7])).events).toHaveLength(8);
  });

  it('K7: ends at its position where events are appended while it reads', async () => {
    const log = memoryEventLog();
    const ids = await append(log, 3);
    const late: EventLog = {
      ...log,
      read: async (...args) => {
        const page = await log.read(...args);
        await append(log, 2);
        return page;
      },
    };
    const { events } = await replay(late, scope, ids[1]);
    expect(events.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  });

  it('has one event in place of those that made room for others, and says so', async () => {
    const log = memoryEventLog({ maxEvents: 4 });
    await append(log, 6);
    const { events, isWhole } = await replay(log, scope);
    expect(isWhole).toBe(false);
    expect(events.length).toBeLessThan(6);
    expect(events[0]?.event.type).toBe('submitted');
  });

  it('is empty for a job that the log does not know', async () => {
    expect(await replay(memoryEventLog(), scope)).toMatchObject({ events: [] });
  });
});
