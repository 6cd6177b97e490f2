import { describe, expect, it } from 'vitest';
import type { HttpResponse } from '../../../src/core/platform/platform.js';
import { judge } from '../invariants/index.js';
import { plainJob } from '../plain-job.js';
import { play, type Played, realClient } from '../play.js';
import { type JobPlan, type Schedule, moments } from '../schedule.js';
import { playAtEachMoment, struckAt } from '../struck-at.js';
import { drawLocalSchedule } from './draw-local.js';
import { localFaults } from './local-faults.js';
import { some } from '../../helpers/runs.js';

type Row = readonly [id: string, what: string, kinds: readonly (keyof typeof localFaults)[]];

/** The failure modes of docs/failure-modes.md that befall a local server and those who share it. */
const rows: readonly Row[] = [
  ['L8', 'a server that is restarted', ['local: the server restarts']],
  [
    'L9',
    'somebody else who deletes, clears or interrupts',
    [
      'local: somebody deletes the waiting job',
      'local: somebody clears the queue',
      'local: somebody clears the history',
      'local: somebody interrupts whatever runs',
    ],
  ],
  ['L10', 'a socket that lost its client id to another one', ['local: another socket takes the client id']],
  ['L11', 'a job without a client id', ['local: a job without a client id']],
  ['L12', 'a queue that others fill', ['local: others go first', 'local: thousands of others wait']],
];

/** One plan and nothing that goes wrong. */
const calm = (plan: Partial<JobPlan>, more: Partial<Schedule> = {}): Schedule => ({
  seed: 1,
  dialect: 'local',
  platform: 'node',
  jobs: [{ ...plainJob(0), startsAt: 600, via: 'submit', nodes: 3, stepMs: 20, ...plan }],
  faults: [],
  ...more,
});

const lastOf = ({ observed }: Played) => observed.watchers[0]?.end();

describe('a failure mode of a local server, on both platforms and at each moment of a job', () => {
  it.each(rows)('%s: %s', async (_id, _what, kinds) => {
    for (const kind of kinds)
      await playAtEachMoment(kind, some(moments, { every: 6, turn: kind.length }), (seed) =>
        drawLocalSchedule(seed, { maxJobs: 3, maxFaults: 0 }),
      );
  });

  it('is there for each fault of a local server', () => {
    expect(new Set(rows.flatMap(([, , kinds]) => kinds))).toEqual(new Set(Object.keys(localFaults)));
  });

  it('L13: M16: an interrupt that comes before the start is lost, and the next one ends the job', async () => {
    const ends = new Set<string | undefined>();
    for (let queueMs = 0; queueMs < 160; queueMs += 4) {
      const faults = [struckAt('user cancels', 'queued', 0.5)];
      const played = await play(calm({ queueMs }, { seed: 1 + queueMs, faults }));
      expect([queueMs, judge(played).violations]).toEqual([queueMs, []]);
      ends.add(lastOf(played)?.phase);
    }
    expect(ends).toEqual(new Set(['cancelled']));
  });
});

describe('a local queue of any size', () => {
  it('L12: a listing of more than 8 MiB is read, by a client that hears nothing of its job', async () => {
    const played = await play(
      calm(
        { stepMs: 1_000 },
        {
          faults: [
            struckAt('local: thousands of others wait', 'accepted', 170),
            { ...struckAt('local: another socket takes the client id', 'started', 0.5), index: 1 },
            { ...struckAt('socket reset', 'running', 0.5), index: 2 },
          ],
        },
      ),
    );
    expect(played.backend.ledger.hits.size).toBe(3);
    expect(judge(played, { strictly: true }).violations).toEqual([]);
    const phases = played.observed.watchers[0]?.states.map(({ phase }) => phase);
    expect(phases).toContain('in_progress');
    expect(lastOf(played)).toMatchObject({ phase: 'completed', outputsComplete: true });
    // The others are still there then: they are taken out after a minute.
    expect(played.observed.watchers[0]?.settledAt()).toBeLessThan(60_000);
  });
});

describe('a page from elsewhere', () => {
  it('L14: is refused every request, by 403 without a body, and says so after one submission', async () => {
    const refused: HttpResponse = {
      status: 403,
      headers: {},
      body: {
        [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
      },
      discard: () => undefined,
    };
    const posts: string[] = [];
    const played = await play(calm({}, { platform: 'page' }), (platform, options) =>
      realClient(
        {
          ...platform,
          openSocket: (_url, listener) => {
            const cancel = platform.clock.after(5, () => listener.closed({ code: 1006, reason: '' }));
            return { send: () => undefined, close: cancel };
          },
          request: (request) => {
            request.onSent?.();
            posts.push(request.method);
            return Promise.resolve(refused);
          },
        },
        options,
      ),
    );
    expect(posts).toEqual(['POST']);
    expect(played.observed.refusals.get(0)?.error).toMatchObject({ _tag: 'Forbidden', status: 403 });
  });
});

describe('what a local server says otherwise than the hosted one', () => {
  it('C29: a blocked node looks like a failure, and the job completes with what the other nodes put out', async () => {
    const played = await play(calm({ blocked: true }));
    expect(judge(played).violations).toEqual([]);
    expect(lastOf(played)).toMatchObject({ phase: 'completed', outputsComplete: true });
    expect(Object.keys(lastOf(played)?.outputs ?? {})).toEqual(['101', '102']);
  });

  it.each(['failed', 'cancelled'] as const)(
    'C29: %s is sent before the status and the mark of no node',
    async (end) => {
      const played = await play(calm({ end }));
      expect(judge(played).violations).toEqual([]);
      expect(lastOf(played)).toMatchObject({ phase: end });
    },
  );

  it('C30: numbers that JSON does not know stand in events and records, and hide no file', async () => {
    for (const kind of ['all events are lost', 'socket reset'] as const)
      for (const moment of ['accepted', 'executed'] as const) {
        const played = await play(calm({ oddNumbers: true }, { faults: [struckAt(kind, moment, 0.5)] }));
        expect([kind, moment, judge(played).violations]).toEqual([kind, moment, []]);
        expect(lastOf(played)).toMatchObject({ phase: 'completed', outputsComplete: true });
      }
  });

  it('C31: the record is missing for some milliseconds after the end was reported, and is read once it is there', async () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const played = await play(calm({ lagMs: 10, via: 'run' }, { seed }));
      expect([seed, judge(played).violations]).toEqual([seed, []]);
      expect(lastOf(played)).toMatchObject({ phase: 'completed', outputsComplete: true });
      const reads = played.backend.ledger.requests.filter(({ route }) => route === 'history').length;
      expect([seed, reads]).toEqual([seed, 1]);
    }
  });

  it('C32: a socket that is opened anew brings no events of before, and the job is followed to its end', async () => {
    for (const moment of ['queued', 'started', 'running', 'executed'] as const) {
      const faults = [struckAt('socket closed with 1000', moment, 0.5)];
      const played = await play(calm({ stepMs: 2_000 }, { faults }));
      expect([moment, judge(played).violations]).toEqual([moment, []]);
      expect(lastOf(played)).toMatchObject({ phase: 'completed', outputsComplete: true });
    }
  });
});
