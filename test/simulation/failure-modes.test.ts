import { describe, expect, it } from 'vitest';
import { drawSchedule } from './draw-schedule.js';
import { type FaultKind, faultKinds } from './faults/index.js';
import { judge } from './invariants/index.js';
import { play, type Played } from './play.js';
import { type Act, type JobPlan, type Schedule, moments } from './schedule.js';
import { playAtEachMoment, struckAt } from './struck-at.js';
import { some } from '../helpers/runs.js';

type Row = readonly [id: string, what: string, kinds: readonly FaultKind[]];

/** The failure modes of docs/failure-modes.md that are a fault of the simulation, or several in turn. */
const rows: readonly Row[] = [
  [
    'A1',
    'a refused key at the handshake',
    ['handshake 401', 'handshake 403', 'handshake fails without a word'],
  ],
  ['A2', 'a refused plan at the handshake', ['handshake 402', 'handshake 429']],
  ['A3', 'a service that flaps', ['handshake 503, again and again', 'handshake 502']],
  ['A4', 'a handshake that stalls', ['handshake stalls']],
  ['A5', 'a connection that is refused', ['handshake refused']],
  ['A6', 'a handshake that is redirected', ['handshake redirected']],
  ['A7', 'a page instead of a socket', ['handshake answered as a page']],
  ['A8', 'sockets that open and die', ['sockets open and die']],
  ['A9', 'a second drop after a reconnect', ['socket dies twice', 'socket closed with 1013']],
  ['B1', 'a line that is cut without a word', ['line cut without a word']],
  ['B2', 'a service that only answers pings', ['service falls silent but answers pings']],
  ['B4', 'an idle socket that is closed', ['socket closed a little later', 'socket closed with 1000']],
  ['B5', 'a machine that sleeps', ['machine sleeps']],
  ['B6', 'a wall clock that steps', ['wall clock steps']],
  ['B8', 'requests that stall', ['a read never gets an answer', 'submission accepted, answer never comes']],
  ['B9', 'a network that is slow', ['network is slow', 'a read takes long']],
  ['B10', 'a program that is busy', ['program is busy']],
  ['B11', 'a network that is down for minutes', ['network is down']],
  ['C2', 'an end that is lost', ['end is lost', 'all events are lost', 'some events are lost']],
  ['C3', 'a job that ends while nobody is connected', ['job ends while nobody is connected']],
  ['C4', 'events that come twice', ['events come twice', 'events come late']],
  ['C5', 'outputs that come after the end', ['outputs come after the end']],
  [
    'C6',
    'executing without a node, absent, alone or midway',
    ['nothing says that nothing runs', 'nothing runs, and no end', 'nothing seems to run midway'],
  ],
  ['C7', 'the failure of another job', ['another job fails', 'another job is interrupted']],
  ['C8', 'the success of another job', ['another job completes']],
  ['C9', 'events without a job', ['event without a job', 'pictures without a job']],
  ['C10', 'an end that contradicts the record', ['end contradicts the record']],
  ['C11', 'a flood of other jobs', ['flood of other jobs']],
  ['C12', 'an end that is sent again', ['end is sent again after a reconnect']],
  ['C13', 'progress that goes back', ['progress goes back']],
  ['C14', 'an event of an unknown type', ['unknown event']],
  ['C16', 'an interruption by another machine', ['someone else interrupts the job']],
  ['D1', 'binary messages of unknown types', ['unknown binary message']],
  ['D2', 'binary messages of a few bytes', ['short binary messages']],
  ['D3', 'metadata longer than its message', ['metadata longer than its message']],
  ['D5', 'broken JSON', ['broken JSON']],
  ['D6', 'JSON of another shape', ['JSON of another shape']],
  ['D7', 'a socket closed for invalid text', ['socket closed for invalid text']],
  ['D13', 'JSON of great depth', ['JSON of great depth']],
  ['D14', 'reserved names as ids', ['reserved names as ids']],
  ['D15', 'numbers that are none', ['numbers that are none']],
  ['E1', 'a submission whose answer is cut off', ['submission cut after it was accepted']],
  ['E2', 'a submission whose answer never comes', ['submission accepted, answer never comes']],
  ['E3', 'a submission that never leaves', ['submission never leaves']],
  ['E4', 'a 500 after the submission was accepted', ['submission accepted, then 500']],
  [
    'E5',
    'a gateway that fails',
    [
      'submission meets 502',
      'submission meets 504 after it was accepted',
      'submission cut before it was accepted',
    ],
  ],
  ['E6', 'a 503 that asks to wait', ['submission meets 503 with a wait']],
  ['E7', 'no active plan', ['no active plan']],
  [
    'E8',
    'a 429 that asks to wait',
    ['submission meets 429 with a wait', 'submission meets 429 with a mad wait'],
  ],
  ['E9', 'no credits', ['no credits', 'submission meets a full queue']],
  ['E10', 'a key that is revoked', ['key is revoked']],
  ['E11', 'a refusal with a page', ['submission meets 400 with a page']],
  [
    'E12',
    'an answer without an id',
    [
      'submission answered without an id',
      'submission answered with a page',
      'submission accepted, answer breaks off',
    ],
  ],
  ['E14', 'answers that drip', ['submission accepted, answer drips', 'a read drips']],
  ['E15', 'reads that meet 500', ['reads meet 500 again and again', 'a read is cut', 'a read breaks off']],
  ['E19', 'a user who aborts', ['user aborts']],
  [
    'F1',
    'status words that are unknown or on their way',
    ['status says an unknown word', 'status says a moving word'],
  ],
  ['F2', 'a job that is not listed for a moment', ['job is unknown for a while']],
  ['F3', 'a job that vanishes', ['job vanishes']],
  ['F4', 'a record that trails', ['history trails by seconds', 'history trails by far']],
  ['F5', 'a job that waits for long', ['job waits for long']],
  ['F6', 'a waiting job that another client deletes', ['someone else deletes the job, and nothing is said']],
  ['F7', 'a cancellation that races the end', ['user cancels']],
  ['F8', 'a cancellation that the job ignores', ['user cancels, the job runs on']],
  [
    'F9',
    'users who cancel and leave: no job of another user is interrupted',
    ['user cancels', 'user leaves'],
  ],
  ['F13', 'many jobs to ask about at once', ['socket reset', 'a read never leaves', 'a read is throttled']],
  ['F14', 'routes that are gone', ['status and history have no route', 'a read is answered with a page']],
  ['I-4', 'a watcher who leaves', ['user leaves']],
  [
    'F37',
    'one answer that is none',
    [
      'a stray 401',
      'a stray 403',
      'a stray 429 without a type',
      'a stray 410',
      'a stray 308',
      'a stray 400',
      'a stray page',
      'a stray error in a 200',
      'a stray empty body',
    ],
  ],
  ['F38', 'a status that answers oddly for good', ['status answers oddly for good']],
  [
    'F39',
    'a record that is answered oddly for good',
    ['history answers oddly for good', 'the jobs API answers oddly for good'],
  ],
  [
    'F40',
    'a wait that is asked for as a date',
    ['a read asks to wait until a date', 'a submission is asked to wait until a date'],
  ],
  ['F41', 'an own id that is unknown for a minute', ['own id is unknown for a minute and a half']],
  ['F42', 'an own id that is unknown for ten minutes', ['own id is unknown for ten minutes']],
  [
    'C23',
    'a socket that opens and is refused',
    [
      'socket opens and is refused with 1008',
      'socket opens and is refused with 4401',
      'socket opens and is refused with 4403',
    ],
  ],
  ['C24', 'a page that is hidden', ['page is hidden']],
];

describe('a failure mode, on both platforms and at each moment of a job', () => {
  it.each(rows)('%s: %s', async (id, _, kinds) => {
    const maxJobs = id === 'F13' ? 20 : 3;
    for (const kind of kinds) {
      const all = await playAtEachMoment(kind, some(moments, { every: 6, turn: kind.length }), (seed) =>
        drawSchedule(seed, { maxJobs, maxFaults: 0 }),
      );
      expect(all.map(interruptions)).toEqual(all.map(() => 0));
    }
  });

  it('is there for each fault of the simulation', () => {
    expect(new Set(rows.flatMap(([, , kinds]) => kinds))).toEqual(new Set(faultKinds));
  });
});

describe('a job of the kind that real services run', () => {
  it.each<readonly [id: string, what: string, plans: readonly Partial<JobPlan>[]]>([
    [
      'F43',
      'whose record trails by a minute',
      (['nothing', 'record without outputs', 'some outputs', 'unfinished record'] as const).flatMap(
        (lagShows) => [3_000, 7_500, 60_000].map((lagMs) => ({ lagShows, lagMs, lagsAlways: true })),
      ),
    ],
    [
      'F44',
      'whose record says that it went wrong, and no more',
      [false, true].map((tellsReason) => ({ withoutMessages: true, tellsReason })),
    ],
    ['F45', 'whose files are reported by events only', [{ files: 'events' }]],
    ['F46', 'that has no files', [{ files: 'none' }]],
    ['C25', 'that reports an empty list of files', [{ emptyList: true }]],
    ['C26', 'whose names and reasons are long', [{ isLong: true }]],
  ])('%s: %s', async (_, __, plans) => {
    for (const [place, more] of plans.entries()) {
      for (const [turn, kind] of (
        ['unknown event', 'all events are lost', 'socket dies twice'] as const
      ).entries())
        for (const end of some(['completed', 'failed', 'cancelled'] as const, {
          every: 3,
          turn: place + turn,
        })) {
          const drawn = drawSchedule(200 + 3 * place + turn, { maxJobs: 3, maxFaults: 0 });
          const jobs = drawn.jobs.map((plan) => ({ ...plan, end, ...more }));
          const played = await play({
            ...drawn,
            jobs,
            faults: [struckAt(kind, 'accepted', 0.5)],
            withoutDetail: place % 4 === 3,
          });
          expect([more, end, kind, judge(played).violations]).toEqual([more, end, kind, []]);
        }
    }
  });
});

describe('what the user does at any time', () => {
  const seeds = Array.from({ length: 20 }, (_, at) => at + 1);
  const at = (what: Act['what'], seed: number, times: readonly number[]): Schedule => ({
    ...drawSchedule(seed, { maxJobs: 4, maxFaults: 0 }),
    acts: times.map((time, index) => ({ index, at: time, what, job: index % 4, size: 0.5 })),
  });

  it('A10, I-13: a client that is closed while it connects, submits or watches leaves nothing, and says so', async () => {
    const ends = new Set<unknown>();
    const times = Array.from({ length: 50 }, (_, at) => 500 + 20 * at);
    for (const time of some(times, { every: 4, turn: 0 })) {
      const played = await play(at('dispose', time, [time]));
      expect([time, judge(played).violations]).toEqual([time, []]);
      for (const { error } of played.observed.watchers)
        ends.add((error() as { _tag?: string } | undefined)?._tag);
      for (const { error } of played.observed.refusals.values()) ends.add((error as { _tag?: string })._tag);
    }
    expect(ends).toContain('Closed');
  });

  it('C18: a late subscriber, also one after the end, sees the one end', async () => {
    for (const seed of some(seeds, { every: 4, turn: 0 })) {
      const played = await play(at('watch again', seed, [700, 900, 5_000, 30_000, 90_000]));
      expect([seed, judge(played).violations]).toEqual([seed, []]);
    }
  });

  it('F10: a job whose nodes are all cached has the outputs of its record', async () => {
    for (const seed of some(seeds, { every: 4, turn: 0 })) {
      const drawn = drawSchedule(seed, { maxJobs: 2, maxFaults: 0 });
      const played = await play({ ...drawn, jobs: drawn.jobs.map((job) => ({ ...job, cached: true })) });
      expect([seed, judge(played).violations]).toEqual([seed, []]);
    }
  });
});

const interruptions = ({ backend }: Played): number =>
  backend.ledger.requests.filter(({ route }) => route === 'interrupt').length;
