import { describe, expect, it } from 'vitest';
import { jobStreams } from '../../../src/server/gateway/streams/job-streams.js';
import { life, workflow } from '../support.js';
import type { LogScope } from '../../../src/server/joblog/event-log.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { NEVER } from 'rxjs';
import { newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import type { StreamForm, StreamStart } from '../../../src/server/gateway/model/gateway-jobs.js';
import { v2Documents } from '../../../src/server/gateway/v2/v2-events.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const [pending] = life('p1');
const ended = life('p1').at(-1)!;
const ofAlice = { owner: 'alice', jobId: 'a' };

/** The streams over one job of alice, whose last event has a position, or of which the log has nothing. */
const streamsOf = (state = ended, place: { readonly position?: string } = { position: 'e-9' }) => {
  const record = {
    ...{
      id: 'a',
      owner: 'alice',
      client: 'default',
      createdAt: 1,
      expiresAt: 9,
      workflow,
      submissionId: 's',
    },
  };
  const entry = { ...newEntry(record, state), ...place };
  const registry = {
    get: (id: string) => (id === 'a' ? entry : undefined),
    ofOwner: () => [entry],
    ready: () => Promise.resolve(),
    position: () => place.position,
    changes: NEVER,
  };
  const { close, open } = jobStreams({ clock: virtualClock(), v2: v2Documents }, registry, memoryEventLog());
  const openAt = (start: StreamStart, scope: LogScope = ofAlice, view: StreamForm['view'] = 'native') =>
    open(scope, { view, format: 'sse', base: 'http://gateway.test' }, start);
  return { close, openAt };
};

describe('the stream of a job', () => {
  it.each(['native', 'v2'] as const)('is none where the owner has no such job (%s)', async (view) => {
    const { openAt } = streamsOf();
    expect(await openAt({}, { owner: 'alice', jobId: 'b' }, view)).toBeUndefined();
    expect(await openAt({}, { owner: 'bob', jobId: 'a' }, view)).toBeUndefined();
  });

  it('is over for who has the last event of a job that has ended, or a snapshot that stands for it', async () => {
    const { openAt } = streamsOf();
    for (const after of ['e-9', 'e-9~3']) expect(await openAt({ after })).toBe('over');
  });

  it.each<readonly [string, StreamStart, ReturnType<typeof streamsOf>]>([
    ['an earlier event', { after: 'e-8' }, streamsOf()],
    ['an event whose position begins alike', { after: 'e-99' }, streamsOf()],
    ['no event', {}, streamsOf()],
    ['the last event of a job that goes on', { after: 'e-9' }, streamsOf(pending)],
    ['no event of a job that the log does not have', {}, streamsOf(ended, {})],
  ])('begins for who has %s', async (_, start, { openAt }) => {
    expect(await openAt(start)).toBeInstanceOf(ReadableStream);
  });

  it('begins each time in API v2, where it says the status first, and for all jobs of an owner', async () => {
    const { openAt } = streamsOf();
    expect(await openAt({ after: 'e-9' }, ofAlice, 'v2')).toBeInstanceOf(ReadableStream);
    expect(await openAt({ after: 'e-9' }, { owner: 'alice' })).toBeInstanceOf(ReadableStream);
  });
});

it('sends every reader away once it is closed, with the time to come back', async () => {
  const { close, openAt } = streamsOf(pending);
  const stream = (await openAt({ from: 'latest' })) as ReadableStream<Uint8Array<ArrayBuffer>>;
  const text = new Response(stream).text();
  close();
  expect(await text).toMatch(/^retry: 1000\nid: [^\n]+\nevent: reconnect\ndata: \{"afterMs":1000\}\n\n$/u);
});
