import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { EventLog } from '../../src/server/joblog/event-log.js';
import { memoryEventLog } from '../../src/server/gateway/store/memory-event-log.js';
import { eventsAfter, eventsSince, replay } from '../../src/server/joblog/replay.js';
import { runs } from '../helpers/runs.js';

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

  it('law: is what was appended of the job, in that order, up to a position, however many pages that takes', async () => {
    // A page has a thousand events.
    const count = fc.oneof(fc.nat({ max: 3 }), fc.constantFrom(998, 999, 1_000, 1_001));
    const runsOfEvents = fc.array(fc.tuple(fc.constantFrom('x', 'y'), count), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(runsOfEvents, fc.nat(), fc.boolean(), async (appended, place, isBusy) => {
        const log = memoryEventLog();
        /** What was appended: ids and jobs, and nothing else of a log. */
        const all: (readonly [string, string])[] = [];
        for (const [jobId, many] of appended)
          for (const id of await append(log, many, jobId)) all.push([id, jobId]);
        const idsUpTo = (end: number, jobId: string): readonly string[] =>
          all
            .slice(0, end)
            .filter(([, of]) => of === jobId)
            .map(([id]) => id);
        const at = all.length === 0 ? 0 : place % all.length;
        const upTo = all[at]?.[0];
        const busy: Pick<EventLog, 'read'> = {
          read: async (...args) => {
            const page = await log.read(...args);
            if (isBusy) await append(log, 1);
            return page;
          },
        };
        if (upTo !== undefined) {
          const { events, isWhole } = await replay(busy, scope, upTo);
          // A log knows nothing of a job without an event.
          const isKnown = idsUpTo(all.length, 'x').length > 0;
          expect([events.map(({ id }) => id), isWhole]).toEqual([idsUpTo(at + 1, 'x'), isKnown]);
          const since = await eventsSince(log, { owner: 'alice', jobId: 'y' }, upTo);
          const own = idsUpTo(all.length, 'y');
          expect((since ?? []).map(({ id }) => id)).toEqual(own.slice(idsUpTo(at + 1, 'y').length));
        }
        const whole = (await replay(log, { owner: 'alice', jobId: 'y' })).events;
        expect(whole.map(({ id }) => id)).toEqual(idsUpTo(all.length, 'y'));
      }),
      { numRuns: runs(100) },
    );
  });

  it('begins anew where events made room for others while it read', async () => {
    const log = memoryEventLog();
    const ids = await append(log, 1_001);
    let reads = 0;
    const cut: Pick<EventLog, 'read'> = {
      read: async (of, after, limit) => {
        reads += 1;
        // The second page is gone at first.
        return reads === 2 ? { events: [], gap: true } : log.read(of, after, limit);
      },
    };
    const { events, isWhole } = await replay(cut, scope);
    expect([events.map(({ id }) => id), isWhole, reads]).toEqual([ids, true, 4]);
  });

  it('has nothing after a position that the log does not know, and says so', async () => {
    const log = memoryEventLog();
    await append(log, 2);
    expect([await eventsAfter(log, scope, 'lost-1'), await eventsSince(log, scope, 'lost-1')]).toEqual([
      ...[[], undefined],
    ]);
  });

  it('is empty for a job that the log does not know', async () => {
    expect(await replay(memoryEventLog(), scope)).toMatchObject({ events: [] });
  });
});
