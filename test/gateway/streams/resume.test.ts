import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { alice, life, opened, openReader, playedGateway, type ReadEvent, submitted } from '../support.js';
import { canonicalJson } from '../../../src/core/protocol/json/canonical-json.js';
import { applyJobEvent } from '../../../src/core/events/apply-job-event.js';
import type { JobLogEvent } from '../../../src/core/events/job-log-event.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import { readJobEvent, readJobState } from '../../../src/core/events/read-job-event.js';
import type { StreamForm, StreamStart } from '../../../src/server/gateway/model/gateway-jobs.js';
import { settle } from '../../helpers/settle.js';
import { runs } from '../../helpers/runs.js';

/** What a reader makes of native events: the states of the jobs by id. */
const applied = (events: readonly ReadEvent[]): ReadonlyMap<string, JobState> => {
  const states = new Map<string, JobState>();
  for (const { event, data } of events) {
    if (event === 'snapshot') {
      for (const { id, state } of data['jobs'] as { id: string; state: JobState }[])
        states.set(id, readJobState(state));
    } else if (!['gap', 'preview', 'reconnect', 'deleted'].includes(event)) {
      const { job, ...rest } = data as unknown as JobLogEvent & { readonly job: string };
      const known = states.get(job);
      const own = readJobEvent<JobLogEvent>(rest);
      if (known !== undefined) states.set(job, applyJobEvent(known, own));
      else if (own.type === 'submitted') states.set(job, own.state);
      else throw new Error(`${own.type} of an unknown job`);
    }
  }
  return states;
};

const isLifecycle = ({ event }: ReadEvent): boolean =>
  ['submitted', 'status', 'output', 'cancelRequested'].includes(event);

/** Reads a whole stream, cut after every event and resumed by its id. */
const cutEverywhere = async (
  open: (start: StreamStart) => ReturnType<typeof openReader>,
  start: StreamStart,
) => {
  const events: ReadEvent[] = [];
  let cuts = 0;
  for (let from = start; cuts < 1_000; cuts += 1) {
    const reader = await open(from);
    let one = await reader.next();
    // Each resumed connection of API v2 begins with the status as it was.
    if (from.after !== undefined && one?.event === 'status' && one.id.includes('~'))
      one = await reader.next();
    await reader.cut();
    if (one === undefined) break;
    events.push(one);
    from = { after: one.id };
  }
  return { events, cuts };
};

describe('a stream of the gateway', () => {
  it('leads by its events to the current state, from wherever it begins and wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom<StreamStart>({}, { from: 'start' }),
        fc.constantFrom<StreamForm['format']>('sse', 'ndjson'),
        fc.boolean(),
        async (steps, start, format, ofAll) => {
          const gateway = await playedGateway();
          const { record } = await submitted(gateway);
          const other = await submitted(gateway);
          const scope = { owner: 'alice', ...(!ofAll && { jobId: record.id }) };
          const states = life('p1', 3);
          const events: ReadEvent[] = [];
          let next = 0;
          let from = start;
          for (const step of steps) {
            for (const state of states.slice(next, next + step)) gateway.service.jobs[0]!.move(state);
            next = Math.min(states.length, next + step);
            await settle();
            const reader = await openReader(gateway, scope, from, { format });
            // Readers know a job by its id on the gateway alone.
            const version = { ...(await gateway.jobs.get(alice, record.id))!.state, promptId: record.id };
            // A fresh connection has everything in what it gets before it would wait.
            for (;;) {
              const one = await reader.next();
              if (one === undefined) break;
              events.push(one);
              from = { after: one.id };
              const state = applied(events).get(record.id);
              if (canonicalJson(state) === canonicalJson(version)) break;
            }
            await reader.cut();
          }
          const last = applied(events);
          expect(last.get(record.id)).toEqual({
            ...(await gateway.jobs.get(alice, record.id))!.state,
            promptId: record.id,
          });
          if (ofAll && start.from === undefined) expect(last.get(other.record.id)?.phase).toBe('pending');
          const ids = events.filter(isLifecycle).map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
      { numRuns: runs(60), timeout: 1_000 },
    );
  });

  it.each(['native', 'v2'] as const)(
    'has no hole and no duplicate when it is cut after each event (%s)',
    async (view) => {
      const gateway = await playedGateway();
      const { record } = await submitted(gateway);
      await submitted(gateway);
      const scope = { owner: 'alice', jobId: record.id };
      for (const state of life('p1', 3)) {
        gateway.service.jobs[0]!.move(state);
        gateway.service.jobs[1]!.move({ ...state, promptId: 'p2' });
        await settle();
      }
      const whole = await (await openReader(gateway, scope, { from: 'start' }, { view })).rest();
      const { events, cuts } = await cutEverywhere((start) => openReader(gateway, scope, start, { view }), {
        from: 'start',
      });
      expect(events).toEqual(whole);
      expect(cuts).toBe(whole.length);
      expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
      if (view === 'v2') {
        const names = whole.filter(({ event }) => event === 'output').map(({ data }) => data['name']);
        expect(names).toEqual(['0a.png', '0b.png', '1a.png', '1b.png', '2a.png', '2b.png']);
        expect(whole.at(-1)).toMatchObject({ event: 'status', data: { status: 'succeeded' } });
      }
    },
  );

  it('begins in the words of v2 with the status, then tells every output once, also of a job that runs', async () => {
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    const states = life('p1', 2);
    for (const state of states.slice(0, 4)) gateway.service.jobs[0]!.move(state);
    await settle();
    const reader = await openReader(gateway, { owner: 'alice', jobId: record.id }, {}, { view: 'v2' });
    const first = (await reader.next())!;
    expect(first).toMatchObject({ event: 'status', data: { status: 'running' } });
    for (const state of states.slice(4)) gateway.service.jobs[0]!.move(state);
    await settle();
    const rest = await reader.rest();
    const of = (events: readonly ReadEvent[]) =>
      events.map(({ event, data }) => (event === 'output' ? data['name'] : (data['status'] ?? event)));
    expect(of(rest).filter((word) => word !== 'progress')).toEqual([
      '0a.png',
      '0b.png',
      '1a.png',
      '1b.png',
      'succeeded',
    ]);
    const resumed = await openReader(
      gateway,
      { owner: 'alice', jobId: record.id },
      { after: first.id },
      { view: 'v2' },
    );
    const again = of(await resumed.rest());
    expect(again.filter((word) => String(word).endsWith('png'))).toEqual([
      '0a.png',
      '0b.png',
      '1a.png',
      '1b.png',
    ]);
    expect(again.at(-1)).toBe('succeeded');
  });

  it.each(['', 'x', 'gap~3', '00ff-1', '~', '🎈~s', 'abc-999999999999999999'])(
    'answers the forged id %j with a gap and a snapshot',
    async (after) => {
      const gateway = await playedGateway();
      const { record } = await submitted(gateway);
      const reader = await openReader(gateway, { owner: 'alice', jobId: record.id }, { after });
      expect((await reader.next())?.event).toBe('gap');
      expect((await reader.next())?.event).toBe('snapshot');
    },
  );

  it('answers an id of another owner with a gap', async () => {
    const gateway = await playedGateway();
    await submitted(gateway);
    const { record } = await submitted(gateway, { name: 'bob' });
    const alices = await (await openReader(gateway, { owner: 'alice' })).next();
    const reader = await openReader(gateway, { owner: 'bob' }, { after: alices!.id });
    expect((await reader.next())?.event).toBe('gap');
    const { data } = (await reader.next())!;
    expect((data['jobs'] as { id: string }[]).map(({ id }) => id)).toEqual([record.id]);
  });

  it('merges progress for a reader that does not read, and keeps all lifecycle events', async () => {
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    const reader = await openReader(gateway, { owner: 'alice', jobId: record.id }, { from: 'latest' });
    const [pending, running] = life('p1', 0);
    gateway.service.jobs[0]!.move(running!);
    for (let value = 1; value <= 5_000; value += 1)
      gateway.service.jobs[0]!.move({ ...running!, progress: value / 10_000 });
    await settle();
    for (let image = 0; image < 5_000; image += 1)
      gateway.service.jobs[0]!.frame({
        _tag: 'Preview',
        mediaType: 'image/jpeg',
        image: new Uint8Array(27_000),
        promptId: 'p1',
        nodeId: '1',
      });
    // The last one waits: ten a second is the most that readers get.
    await gateway.clock.advance(100);
    const first = [await reader.next(), await reader.next(), await reader.next()];
    expect(first.map((one) => one?.event)).toEqual(['status', 'progress', 'preview']);
    expect(first[1]?.data).toMatchObject({ progress: { progress: 0.5 } });
    expect(first[2]?.data).toMatchObject({ id: '2' });
    gateway.service.jobs[0]!.move({ ...pending!, phase: 'completed', progress: 1 });
    await settle();
    expect((await reader.rest()).map(({ event }) => event)).toEqual(['status']);
  });

  it('says that nothing more comes to one who has the last event of a job, and its end to a new one', async () => {
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    const scope = { owner: 'alice', jobId: record.id };
    for (const state of life('p1')) gateway.service.jobs[0]!.move(state);
    await settle();
    const last = (await (await openReader(gateway, scope, { from: 'start' })).rest()).at(-1)!;
    const form = { view: 'native', format: 'sse', base: '' } as const;
    expect(await gateway.jobs.stream(scope, form, { after: last.id })).toBe('over');
    const [snapshot, ...more] = await (await openReader(gateway, scope, {})).rest();
    expect([snapshot?.event, more]).toEqual(['snapshot', []]);
    expect(await gateway.jobs.stream(scope, form, { after: snapshot!.id })).toBe('over');
    const v2 = await openReader(gateway, scope, { after: last.id }, { view: 'v2' });
    expect((await v2.rest()).map(({ event }) => event)).toEqual(['status']);
  });

  it('cuts a reader that takes nothing while something waits, and one that only waits gets signs of life', async () => {
    const gateway = await playedGateway({ stallMs: 30_000, keepAliveMs: 15_000 });
    const { record } = await submitted(gateway);
    const form = { view: 'native', format: 'sse', base: '' } as const;
    const scope = { owner: 'alice', jobId: record.id };
    const stalled = (await opened(gateway, scope, form, { from: 'latest' })).getReader();
    const waiting = (await opened(gateway, scope, form, { from: 'latest' })).getReader();
    const alive = waiting.read();
    await gateway.clock.advance(15_000);
    expect(new TextDecoder().decode((await alive).value)).toBe(': keep-alive\n\n');
    gateway.service.jobs[0]!.move(life('p1')[1]!);
    await settle();
    expect(new TextDecoder().decode((await waiting.read()).value)).toContain('in_progress');
    await gateway.clock.advance(30_000);
    await expect(stalled.read()).rejects.toThrow('took nothing');
  });

  it('sends every reader away when the gateway closes, and frees a reader that leaves', async () => {
    const gateway = await playedGateway();
    await submitted(gateway);
    const reader = await openReader(gateway, { owner: 'alice' });
    expect((await reader.next())?.event).toBe('snapshot');
    const left = await openReader(gateway, { owner: 'alice' });
    await left.cut();
    expect(await left.next()).toBeUndefined();
    const last = reader.rest();
    await gateway.jobs.close();
    expect((await last).map(({ event }) => event)).toEqual(['reconnect']);
  });
});
