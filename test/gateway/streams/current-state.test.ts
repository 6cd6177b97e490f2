import { currentState } from '../../../src/server/gateway/streams/current-state.js';
import { describe, expect, it } from 'vitest';
import { encodedOnce } from '../../../src/server/gateway/streams/encoding.js';
import type { GatewayPreview, StreamForm } from '../../../src/server/gateway/model/gateway-jobs.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { type JobEntry, newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import type { StreamContext } from '../../../src/server/gateway/streams/stream-context.js';
import { streamSerializers } from '../../../src/server/gateway/streams/stream-serializer.js';
import { v2Documents } from '../../../src/server/gateway/v2/v2-events.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const previewOf = (nodeId: string, id: string, size = 1): GatewayPreview => ({
  ...{ id, nodeId, mediaType: 'image/png', bytes: new Uint8Array(size) },
});

/** A registry of jobs that the test sets, and readers of it. */
const board = () => {
  const clock = virtualClock();
  const jobs = new Map<string, JobEntry>();
  const context = {
    ...{ clock, encodedOnce: encodedOnce(), serializers: streamSerializers(v2Documents) },
    registry: { get: (id: string) => jobs.get(id) },
  } as unknown as StreamContext;
  const set = (
    id: string,
    progressVersion: number,
    previews: readonly GatewayPreview[] = [],
    phase: JobState['phase'] = 'in_progress',
  ): JobEntry => {
    const record = {
      ...{ id, owner: 'o', client: 'c', submissionId: 's', createdAt: 1, expiresAt: 2, workflow: {} },
    };
    const entry = {
      ...newEntry(record, { ...initialJobState({}), phase, progress: progressVersion / 100 }),
      ...{ progressVersion, previews: new Map(previews.map((one) => [one.nodeId, one])) },
    };
    jobs.set(id, entry);
    return entry;
  };
  const reader = (form: Partial<StreamForm> = {}) => {
    const state = currentState(context, { view: 'native', format: 'ndjson', base: '', ...form }, 'name');
    /** What it takes, as the ids of the events without their position. */
    const take = (room = 10_000, ticket?: string) => {
      const { frames, againInMs } = state.take('at', room, ticket);
      const events = frames.map(
        (frame) =>
          JSON.parse(new TextDecoder().decode(frame)) as { readonly id: string; readonly data: unknown },
      );
      return { ids: events.map(({ id }) => id.replace('at~', '')), events, againInMs, frames };
    };
    return { ...state, take };
  };
  return { clock, jobs, set, reader };
};

describe('the progress that a reader has not', () => {
  it('is the newest of each job that has changed, once', () => {
    const { set, reader } = board();
    const { markChanged, isEmpty, take } = reader();
    set('a', 7);
    set('b', 8);
    expect([isEmpty(), take().ids]).toEqual([true, []]);
    for (const id of ['a', 'b', 'a']) markChanged(id);
    expect(isEmpty()).toBe(false);
    expect(take().ids).toEqual(['p7', 'p8']);
    expect([isEmpty(), take().ids]).toEqual([true, []]);
    // Its preview alone is new.
    set('a', 7, [previewOf('1', '3')]);
    markChanged('a');
    expect(take().ids).toEqual(['v3']);
    set('a', 9, [previewOf('1', '3')]);
    markChanged('a');
    expect(take().ids).toEqual(['p9']);
  });

  it('is none where the reader has it by other means, or has all', () => {
    const { set, reader } = board();
    const one = reader();
    one.skipProgress(set('a', 7, [previewOf('1', '3')]));
    one.markChanged('a');
    expect(one.take().ids).toEqual(['v3']);
    const other = reader();
    other.skipAll(set('a', 7, [previewOf('1', '3'), previewOf('2', '4')]));
    other.markChanged('a');
    expect([other.take().ids, other.isEmpty()]).toEqual([[], true]);
    set('a', 8, [previewOf('1', '3'), previewOf('2', '5')]);
    other.markChanged('a');
    expect(other.take().ids).toEqual(['p8', 'v5']);
  });

  it('is none of a job that is over; one that is gone is told of once', () => {
    const { jobs, set, reader } = board();
    const { markChanged, isEmpty, take } = reader();
    set('a', 7);
    markChanged('a');
    expect(take().ids).toEqual(['p7']);
    set('a', 8, [previewOf('1', '3')], 'completed');
    markChanged('a');
    expect([take().ids, isEmpty()]).toEqual([[], true]);
    jobs.delete('a');
    markChanged('a');
    expect([take().ids, isEmpty()]).toEqual([['da'], true]);
    // Another job of this id would begin anew.
    set('a', 1);
    markChanged('a');
    expect(take().ids).toEqual(['p1']);
    const v2 = reader({ view: 'v2' });
    v2.markChanged('gone');
    expect([v2.take().ids, v2.isEmpty()]).toEqual([[], true]);
  });

  it('waits in the words of v2 until half a second after the last one, the shortest wait of all jobs', async () => {
    const { clock, set, reader } = board();
    const { markChanged, isEmpty, take } = reader({ view: 'v2' });
    const move = (id: string, version: number): void => {
      set(id, version);
      markChanged(id);
    };
    move('a', 1);
    expect(take()).toMatchObject({ ids: ['p1'], againInMs: undefined });
    await clock.advance(200);
    move('b', 2);
    expect(take()).toMatchObject({ ids: ['p2'], againInMs: undefined });
    move('b', 3);
    move('a', 4);
    expect([take(), isEmpty()]).toMatchObject([{ ids: [], againInMs: 300 }, false]);
    await clock.advance(299);
    expect(take()).toMatchObject({ ids: [], againInMs: 1 });
    await clock.advance(1);
    expect([take(), isEmpty()]).toMatchObject([{ ids: ['p4'], againInMs: 200 }, false]);
    await clock.advance(200);
    expect([take(), isEmpty()]).toMatchObject([{ ids: ['p3'], againInMs: undefined }, true]);
  });

  it('is encoded once for all readers of one name at one place', () => {
    const { set, reader } = board();
    set('a', 7, [previewOf('1', '3')]);
    const taken = [reader(), reader()].map(({ markChanged, take }) => {
      markChanged('a');
      return take().frames;
    });
    expect(taken[0]).toHaveLength(2);
    expect(taken[0]!.every((frame, at) => frame === taken[1]![at])).toBe(true);
  });
});

describe('the room of a reader', () => {
  it('ends with the job that fills it; the others come with the next look', () => {
    const { set, reader } = board();
    const { markChanged, isEmpty, take } = reader();
    for (const [at, id] of ['a', 'b', 'c'].entries()) {
      set(id, at + 1);
      markChanged(id);
    }
    expect(take(0)).toMatchObject({ ids: [] });
    const { frames, ids } = take(1);
    expect(ids).toEqual(['p1']);
    expect(take(frames[0]!.length + 1).ids).toEqual(['p2', 'p3']);
    expect(isEmpty()).toBe(true);
  });

  it('has one preview that is larger, and further ones as far as they fit', () => {
    const { set, reader } = board();
    const previews = ['1', '2', '3'].map((nodeId) => previewOf(nodeId, `1${nodeId}`, 600));
    const { skipProgress, markChanged, isEmpty, take } = reader({ view: 'v2' });
    skipProgress(set('a', 7, previews));
    markChanged('a');
    const first = take(10);
    expect([first.ids, isEmpty()]).toEqual([['v11'], false]);
    const size = first.frames[0]!.length;
    expect(size).toBeGreaterThan(600);
    expect(take(2 * size).ids).toEqual(['v12', 'v13']);
    expect(isEmpty()).toBe(true);
    // What is new of the next job waits behind them.
    const behind = reader({ view: 'v2' });
    behind.skipProgress(set('a', 7, previews));
    set('b', 8);
    for (const id of ['a', 'b']) behind.markChanged(id);
    expect(behind.take(2 * size - 1).ids).toEqual(['v11']);
    expect(behind.take(10 * size).ids).toEqual(['v12', 'v13', 'p8']);
    const other = reader({ view: 'v2' });
    other.skipProgress(set('a', 7, previews));
    other.markChanged('a');
    expect(other.take(2 * size - 1).ids).toEqual(['v11']);
  });
});

describe('the ticket of previews', () => {
  it('is asked for only where the reader has a preview to get, and waited for', () => {
    const { set, reader } = board();
    let tickets = 0;
    const previewTicket = (): string => `t${(tickets += 1)}`;
    const { skipProgress, markChanged, isEmpty, ticket, take } = reader({ previewTicket });
    skipProgress(set('a', 7));
    markChanged('a');
    markChanged('gone');
    expect([ticket(), tickets]).toEqual([undefined, 0]);
    // Without a preview nothing waits for one.
    const plain = reader({ previewTicket });
    plain.markChanged('a');
    expect([plain.take().ids, plain.isEmpty()]).toEqual([['p7'], true]);
    set('a', 7, [previewOf('1', '3')]);
    // It came after the ticket was asked for.
    expect(take(10_000, undefined).ids).toEqual(['dgone']);
    expect(isEmpty()).toBe(false);
    expect(ticket()).toBe('t1');
    const { events } = take(10_000, 't1');
    expect(events).toMatchObject([{ id: 'at~v3', data: { url: '/jobs/a/previews/1?v=3&ticket=t1' } }]);
    markChanged('a');
    expect([ticket(), tickets, take().ids]).toEqual([undefined, 1, []]);
  });

  it('is no part of API v2, nor of a form without one', () => {
    const { set, reader } = board();
    set('a', 7, [previewOf('1', '3')]);
    for (const form of [{ view: 'v2', previewTicket: () => 't' }, {}] as const) {
      const { markChanged, ticket, take } = reader(form);
      markChanged('a');
      expect([ticket(), take().ids]).toEqual([undefined, ['p7', 'v3']]);
    }
  });
});
