import { continuedLog } from '../../src/server/joblog/continued-log.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { isAnEventLog } from '../gateway/ports/log-contract.js';
import type { LifecycleEvent } from '../../src/core/events/job-log-event.js';
import { memoryEventLog } from '../../src/server/gateway/store/memory-event-log.js';
import { runs } from '../helpers/runs.js';
import { Subject } from 'rxjs';

const event = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });

describe('a log that goes on in another one', () => {
  describe('without a former event', () =>
    isAnEventLog(() => Promise.resolve(continuedLog(memoryEventLog(), memoryEventLog())), runs(100), false));

  it('law: resumes after any event of both logs with exactly those that follow, in pages of any size', async () => {
    const appends = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        appends,
        appends,
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(undefined, 'x', 'y'),
        async (before, after, limit, jobId) => {
          const former = memoryEventLog();
          const log = continuedLog(former, memoryEventLog());
          const all: { readonly id: string; readonly jobId: string }[] = [];
          for (const [index, job] of [...before, ...after].entries()) {
            const target = index < before.length ? former : log;
            const [id = ''] = await target.append('o', job, [event(index)]);
            all.push({ id, jobId: job });
          }
          const own = all.filter((one) => jobId === undefined || one.jobId === jobId);
          for (const start of [-1, ...own.keys()]) {
            const read: string[] = [];
            let position = own[start]?.id;
            for (;;) {
              const page = await log.read({ owner: 'o', jobId }, position, limit);
              if (own.length === 0 && jobId !== undefined) expect(page.gap).toBe(true);
              else expect(page.gap).toBe(false);
              expect(page.events.length).toBeLessThanOrEqual(limit);
              for (const { id } of page.events) read.push(id);
              position = page.events.at(-1)?.id;
              if (page.events.length < limit) break;
            }
            expect(read).toEqual(own.slice(start + 1).map(({ id }) => id));
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('has what a job had come to in the former log, where its first events are gone from there', async () => {
    const former = memoryEventLog({ maxEvents: 2 });
    for (const at of [1, 2, 3]) await former.append('o', 'x', [event(at)]);
    const log = continuedLog(former, memoryEventLog());
    const page = await log.read({ owner: 'o', jobId: 'x' }, undefined, 9);
    expect(page.rest).toBeDefined();
    expect(page).toEqual(await former.read({ owner: 'o', jobId: 'x' }, undefined, 9));
  });

  it('has a gap where the former log has one, forgets a job in both, and tells what becomes of the present one', async () => {
    const [former, present] = [memoryEventLog(), memoryEventLog()];
    const changes = new Subject<string>();
    const closed: string[] = [];
    const log = continuedLog(
      { ...former, close: () => Promise.resolve(void closed.push('former')) },
      { ...present, changes, close: () => Promise.resolve(void closed.push('present')) },
    );
    expect(continuedLog(former, present).changes).toBeUndefined();
    expect(log.changes).toBe(changes);
    const [first = ''] = await former.append('o', 'x', [event(1)]);
    await former.append('o', 'y', [event(2)]);
    await log.append('o', 'x', [event(3)]);
    await log.expire('o', 'x');
    expect(await log.read({ owner: 'o' }, first.replace(/\d+$/u, '0'), 9)).toEqual({ events: [], gap: true });
    expect((await log.read({ owner: 'o' }, undefined, 9)).events.map(({ jobId }) => jobId)).toEqual(['y']);
    expect(await log.read({ owner: 'o' }, 'nonsense', 9)).toEqual({ events: [], gap: true });
    await log.close?.();
    expect(closed.toSorted()).toEqual(['former', 'present']);
    await continuedLog(former, present).close?.();
  });
});
