import { describe, expect, it } from 'vitest';
import { judge } from '../invariants/index.js';
import { play } from '../play.js';
import { playAtEachMoment } from '../struck-at.js';
import { drawForV2 } from '../../scoreboard/random-fault-schedules.js';
import { drawV2Schedule } from './draw-v2.js';
import { v2Faults } from './v2-faults.js';
import { moments } from '../schedule.js';
import { some } from '../../helpers/runs.js';

type Row = readonly [id: string, what: string, kinds: readonly (keyof typeof v2Faults)[]];

/** The failure modes of docs/failure-modes.md that befall a service of API v2. */
const rows: readonly Row[] = [
  [
    'V1',
    'a stream that ends without an end',
    ['v2: streams end cleanly without an end', 'v2: streams end cleanly again and again'],
  ],
  [
    'V2',
    'a service without streams, or without one more',
    ['v2: no streams at all', 'v2: too many streams', 'v2: streams are not found', 'v2: streams answer JSON'],
  ],
  [
    'V3',
    'a stream that reports an error',
    [
      'v2: a stream says that the key has expired',
      'v2: a stream says that there is no such job',
      'v2: a stream says an unknown error',
    ],
  ],
  [
    'V4',
    'events that are not what they should be',
    [
      'v2: events of unknown kinds',
      'v2: events of another shape',
      'v2: an event of great size',
      'v2: a status of unknown words',
    ],
  ],
  ['V5', 'snapshots that go back', ['v2: progress goes back', 'v2: the status goes back']],
  [
    'V6',
    'a job that the platform gives up, or that completes though it was cancelled',
    ['v2: the platform gives the job up', 'v2: a cancelled job completes', 'v2: a cancellation is refused'],
  ],
  [
    'V7',
    'a submission whose key is taken',
    [
      'v2: a proxy sends the submission twice',
      'v2: another submission has the key',
      'v2: a submission meets 503 and its key is taken',
    ],
  ],
  [
    'V8',
    'a service that has no room for a while',
    ['v2: the service is not ready', 'v2: the queue is full for a while'],
  ],
];

describe('a failure mode of API v2, on both platforms and at each moment of a job', () => {
  it.each(rows)('%s: %s', async (_id, _what, kinds) => {
    for (const kind of kinds)
      await playAtEachMoment(kind, some(moments, { every: 6, turn: kind.length }), (seed) =>
        drawV2Schedule(seed, { maxJobs: 3, maxFaults: 0 }),
      );
  });

  it('is there for each fault of API v2', () => {
    expect(new Set(rows.flatMap(([, , kinds]) => kinds))).toEqual(new Set(Object.keys(v2Faults)));
  });

  it.each([1396, 3330, 3604])(
    'F20: the reason of a failure is awaited while the document of its job has an unknown word (seed %i)',
    async (seed) => {
      expect(judge(await play(drawForV2(seed)), { strictly: true }).violations).toEqual([]);
    },
  );
});
