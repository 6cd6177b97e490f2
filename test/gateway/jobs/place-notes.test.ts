import { describe, expect, it } from 'vitest';
import type { JobPlace, JobRecord } from '../../../src/server/joblog/job-index.js';
import { isServiceError } from '../../../src/core/errors/service-error.js';
import { noteOf, placesOf } from '../../../src/server/gateway/jobs/place-notes.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const record: JobRecord = {
  ...{ id: 'x', submissionId: 's', owner: 'o', client: 'c' },
  ...{ createdAt: 1, expiresAt: 2, workflow: {} },
};
const place: JobPlace = { server: 'attic', attempt: 1, submissionIds: 'jobs' };

/** An index that may be away, and a registry that may have the job. */
const played = (known?: JobRecord) => {
  const clock = virtualClock();
  const calls: unknown[] = [];
  const stopped = new AbortController();
  const state = { isAway: false, isHeld: true };
  const context = {
    clock,
    stopped: stopped.signal,
    held: { isHeld: () => Promise.resolve(state.isHeld) },
    index: {
      update: (id: string, change: object) => {
        calls.push(['update', id, change]);
        return state.isAway ? Promise.reject(new Error('away')) : Promise.resolve();
      },
    },
    registry: {
      get: () => known && { record: known },
      setRecord: (next: JobRecord) => void calls.push(['set', next]),
    },
  };
  const noted = (wait: Promise<void>): { end: string } => {
    const seen = { end: 'waits' };
    wait.then(
      () => (seen.end = 'kept'),
      (error: unknown) => (seen.end = isServiceError(error) ? error._tag : 'unknown'),
    );
    return seen;
  };
  return { clock, calls, stopped, state, noted, context: context as never };
};

describe('the place of a job', () => {
  it('is kept by registry and index before its submission leaves', async () => {
    const { context, calls } = played(record);
    await noteOf(context, 'x')(place);
    expect(calls).toEqual([
      ['set', { ...record, place }],
      ['update', 'x', { place }],
    ]);
  });

  it('waits for an index that is away, and asks again every second', async () => {
    const { clock, context, calls, state, noted } = played();
    state.isAway = true;
    const seen = noted(noteOf(context, 'x')(place));
    await clock.advance(999);
    expect([calls.length, seen.end]).toEqual([1, 'waits']);
    state.isAway = false;
    await clock.advance(1);
    expect([calls.length, seen.end]).toEqual([2, 'kept']);
  });

  it('keeps no program alive while the index is away', async () => {
    const { clock, context, state, noted } = played();
    state.isAway = true;
    noted(noteOf(context, 'x')(place));
    await clock.runUntilIdle();
    expect(clock.now()).toBe(0);
  });

  it('is not kept where another process has the job, which submits it then', async () => {
    const { clock, context, calls, state, noted } = played();
    state.isHeld = false;
    const seen = noted(noteOf(context, 'x')(place));
    await clock.advance(0);
    expect([calls, seen.end]).toEqual([[], 'Closed']);
  });

  it('is waited for no longer once the gateway closes', async () => {
    const { clock, context, stopped, state, noted } = played();
    state.isAway = true;
    const seen = noted(noteOf(context, 'x')(place));
    await clock.advance(5_000);
    stopped.abort();
    await clock.advance(0);
    expect([seen.end, clock.pending()]).toEqual(['Closed', 0]);
  });

  it('stands in the record of a job that no registry has yet, the last one of several', async () => {
    const { context, calls } = played();
    const places = placesOf(context, record);
    expect(places.record()).toBe(record);
    await places.placed(place);
    const other = { ...place, server: 'cellar', attempt: 2 };
    await places.placed(other);
    expect(places.record()).toEqual({ ...record, place: other });
    expect(calls).toEqual([
      ['update', 'x', { place }],
      ['update', 'x', { place: other }],
    ]);
    expect(placesOf(context, { ...record, place }).record()).toEqual({ ...record, place });
  });
});
