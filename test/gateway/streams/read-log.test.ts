import { describe, expect, it } from 'vitest';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { life, openReader, playedGateway, submitted } from '../support.js';
import type { LoggedEvent } from '../../../src/server/joblog/event-log.js';
import { newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import type { ReaderContext, ReaderView } from '../../../src/server/gateway/streams/reader-view.js';
import { readLog } from '../../../src/server/gateway/streams/read-log.js';
import { settle } from '../../helpers/settle.js';
import { tokenAt } from '../../../src/server/gateway/streams/resume-token.js';

it.each(['native', 'v2'] as const)(
  'the stream of a job that is over has all its events, also those beyond a page of the log: %s',
  async (view) => {
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    const [played] = gateway.service.jobs;
    const states = life('p1');
    for (let nth = 0; nth < 450; nth += 1) played!.move({ ...states[1]!, warnings: [`warning ${nth}`] });
    for (const state of states.slice(2)) played!.move(state);
    await settle();
    const reader = await openReader(
      gateway,
      { owner: 'alice', jobId: record.id },
      { from: 'start' },
      { view },
    );
    const events = await reader.rest();
    expect(events.filter(({ event }) => event === 'output')).toHaveLength(view === 'v2' ? 4 : 2);
    expect(events.at(-1)).toMatchObject({ event: 'status' });
    if (view === 'native') expect(events.length).toBeGreaterThan(450);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  },
);

/** What the log of one job may be, and what of the job the gateway knows meanwhile. */
interface Played {
  readonly events?: readonly LoggedEvent[];
  /** The position up to which the log is published. */
  readonly published?: string;
  readonly hasGap?: boolean;
  readonly isForgotten?: boolean;
}

const eventsOf = (...phases: readonly string[]): readonly LoggedEvent[] =>
  phases.map((phase, at) => ({
    ...{ id: `p${at + 1}`, jobId: 'j' },
    event: { type: 'status', at: 0, status: { phase } } as unknown as LoggedEvent['event'],
  }));

/** Reads the log of the job `j` from a position on, with a view that shows an event as its position. */
const read = ({ events = [], published, hasGap = false, isForgotten = false }: Played, after?: string) => {
  const record = { id: 'j', owner: 'o', client: 'c', submissionId: 's', createdAt: 1, expiresAt: 2 };
  const state = { ...initialJobState({}), phase: 'in_progress' as const };
  const job = { ...newEntry({ ...record, workflow: {} }, state), position: published };
  const context = {
    scope: { owner: 'o', jobId: 'j' },
    jobs: () => (isForgotten ? [] : [job]),
    registry: { get: () => job },
    log: {
      read: (_: unknown, from: string | undefined, limit: number) => {
        const first = events.findIndex(({ id }) => id === from) + 1;
        return Promise.resolve({ gap: hasGap, events: events.slice(first, first + limit) });
      },
    },
  } as unknown as ReaderContext;
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
  const view = {
    frames: (_: unknown, { id }: LoggedEvent) => [{ bytes: bytesOf(id), at: tokenAt(id) }],
    resync: () =>
      Promise.resolve({ frames: [bytesOf('a gap'), bytesOf('a state')], at: tokenAt('now'), isOver: false }),
  } as unknown as ReaderView;
  return readLog(context, view, tokenAt(after), 1_000_000);
};

describe('what the log has for the reader of a job', () => {
  it('ends with the end of the job, whatever stands behind it', async () => {
    const events = eventsOf('in_progress', 'completed', 'in_progress');
    expect(await read({ events, published: 'p3' })).toMatchObject({
      ...{ isOver: true, hasAll: true, size: 4, at: tokenAt('p2') },
    });
  });

  it('is what is published of it, also where a whole page goes on beyond that', async () => {
    const events = eventsOf(...Array.from({ length: 300 }, () => 'in_progress'));
    const { frames, at, isOver } = await read({ events, published: 'p120' });
    expect([frames.length, at, isOver]).toEqual([120, tokenAt('p120'), false]);
  });

  it('is a snapshot where its next events are gone, which takes the room of its bytes', async () => {
    const found = await read({ published: 'p9', hasGap: true }, 'p1');
    expect(found).toMatchObject({ size: 'a gap'.length + 'a state'.length, hasAll: true, isOver: false });
    expect([found.frames.length, found.at]).toEqual([2, tokenAt('now')]);
  });

  it('is nothing more where the job was forgotten meanwhile', async () => {
    expect(await read({ hasGap: true, isForgotten: true }, 'p1')).toMatchObject({
      ...{ frames: [], isOver: true, at: tokenAt('p1') },
    });
  });
});
