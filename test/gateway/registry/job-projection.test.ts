import fc from 'fast-check';
import { changesBetween } from '../../../src/core/events/changes-between.js';
import { describe, expect, it } from 'vitest';
import { entryOf, newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import { life, workflow } from '../support.js';
import type { LoggedEvent } from '../../../src/server/joblog/event-log.js';
import {
  endOf,
  withFollowedEvent,
  withOthersEvent,
  withPublished,
  withStored,
} from '../../../src/server/gateway/registry/job-projection.js';

const record: JobRecord = {
  ...{ id: 'x', owner: 'alice', client: 'default', createdAt: 5, expiresAt: 10, workflow },
  submissionId: 's',
};

/** The log of a life of so many pictures, up to its first `length` events. */
const logOf = (pictures: number, length: number): readonly LoggedEvent[] => {
  const states = life('p1', pictures);
  const events = states
    .slice(1)
    .flatMap((state, index) => changesBetween(states[index]!, state, 10 + index))
    .filter((event) => event.type !== 'progress');
  return [{ type: 'submitted' as const, at: 9, state: states[0]! }, ...events]
    .slice(0, length)
    .map((event, index) => ({ id: `e-${index + 1}`, jobId: 'x', event }));
};

describe('the entry of a job that another process follows', () => {
  it('law: events one by one lead to the entry that all of them make', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 12 }), (pictures, length) => {
        const events = logOf(pictures, length);
        const first = newEntry(record, initialJobState({ workflow }));
        const folded = events.reduce((entry, logged) => withFollowedEvent(entry, logged, 100), first);
        const made = entryOf(record, events);
        expect({ ...folded, record }).toEqual({ ...made, record });
        expect(folded.record.promptId).toBe(made.record.promptId);
      }),
    );
  });

  it('has the end of the job in its record, and stays as it is after it', () => {
    const events = logOf(1, 99);
    const first = newEntry(record, initialJobState({ workflow }));
    const ended = events.reduce((entry, logged) => withFollowedEvent(entry, logged, 100), first);
    expect(ended.record).toMatchObject(endOf('completed', events.at(-1)!.event.at, 100));
    const after = withFollowedEvent(ended, { ...events[1]!, id: 'e-99' }, 100);
    expect([after.state, after.position]).toEqual([ended.state, 'e-99']);
  });
});

describe('the entry of a job of this process', () => {
  it('takes of another process’s event the request to cancel alone, once', () => {
    const entry = newEntry(record, life('p1')[1]!);
    const asked = withOthersEvent(entry, {
      id: 'e-7',
      jobId: 'x',
      event: { type: 'cancelRequested', at: 12 },
    });
    expect(asked).toEqual({ ...entry, position: 'e-7', record: { ...record, cancelRequestedAt: 12 } });
    const again = withOthersEvent(asked, {
      id: 'e-8',
      jobId: 'x',
      event: { type: 'cancelRequested', at: 13 },
    });
    expect(again.record.cancelRequestedAt).toBe(12);
  });

  it('is where its events stand in the log; where they do not, it stays where it was', () => {
    const { event } = logOf(1, 2)[1]!;
    const before = { ...newEntry(record, life('p1')[0]!), position: 'e-1' };
    expect(withStored(before, [event], 'e-2')).toEqual({ ...before, position: 'e-2', startedAt: 10 });
    expect(withStored(before, [event], undefined)).toEqual({ ...before, startedAt: 10 });
    expect(withStored(newEntry(record, life('p1')[0]!), [], undefined)).not.toHaveProperty('position');
  });

  it('loses its previews with its end', () => {
    const preview = { id: '1', nodeId: '2', mediaType: 'image/png', bytes: new Uint8Array(1) };
    const running = { ...newEntry(record, life('p1')[1]!), previews: new Map([['2', preview]]) };
    const [still, ended] = [life('p1')[3]!, life('p1').at(-1)!].map((state) =>
      withPublished(running, state, 3, 20),
    );
    expect([still!.previews.size, ended!.previews.size, ended!.progressVersion]).toEqual([1, 0, 3]);
  });
});
