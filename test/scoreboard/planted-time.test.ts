import { describe, expect, it } from 'vitest';
import type { MakeProgress } from './honest/play-job.js';
import { map, scan } from 'rxjs';
import { honestTimeLeft, playJobs } from './honest-time-left.js';
import { withoutMember } from '../../src/core/state/without-member.js';
import { progress, type Progress } from '../../src/core/operators/progress.js';

const range = { from: 1, count: 6 };

/** The operator with its values changed. */
const showing =
  (change: (shown: Progress) => Progress): MakeProgress =>
  (options) =>
  (states) =>
    states.pipe(progress(options), map(change));

const planted: readonly (readonly [name: string, finding: RegExp, makeProgress: MakeProgress])[] = [
  [
    'counts nodes alike',
    /time left of second runs/u,
    (options) => (states) =>
      states.pipe(
        map((state) => withoutMember(state, 'plan')),
        progress(options),
      ),
  ],
  [
    'shows half of the time left',
    /time left of second runs/u,
    showing((shown) => ({ ...shown, timeLeftMs: (shown.timeLeftMs ?? 0) / 2 })),
  ],
  [
    'shows no time left',
    /time left of first runs/u,
    showing(({ value, stage, nodes }) => ({ value, stage, nodes })),
  ],
  ['runs ahead', /bars are too far off/u, showing((shown) => ({ ...shown, value: Math.sqrt(shown.value) }))],
  [
    'is full before the end',
    /full before the end/u,
    showing((shown) => ({ ...shown, value: Math.ceil(shown.value * 2) / 2 })),
  ],
  [
    'goes back',
    /went back/u,
    (options) => (states) =>
      states.pipe(
        progress(options),
        scan(
          (before: Progress | undefined, shown) => ({
            ...shown,
            value: shown.value - (before === undefined || before.value < 0.5 ? 0 : 0.1),
          }),
          undefined,
        ),
        map((shown) => shown!),
      ),
  ],
];

describe('a planted bug of the time left', () => {
  it.each(planted)('is caught by honest-time-left: an operator that %s', (_, finding, makeProgress) => {
    const tally = playJobs(range, makeProgress);
    const found = [...tally.problems, ...honestTimeLeft.shortfalls!(tally, range.count)];
    expect(found.join('\n')).toMatch(finding);
  });

  it('is none in the operator itself', () => {
    const tally = playJobs(range);
    expect(tally.problems).toEqual([]);
  });
});
