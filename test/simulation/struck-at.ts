import { expect } from 'vitest';
import type { FaultKind } from './faults/index.js';
import { judge } from './invariants/index.js';
import { play, type Played } from './play.js';
import { type Fault, type Moment, moments, type Schedule } from './schedule.js';

/** One fault that strikes the first job as soon as it reaches the moment. */
export const struckAt = (kind: FaultKind, moment: Moment, size: number): Fault => ({
  index: 0,
  kind,
  job: 0,
  moment,
  afterMs: 0,
  size,
});

/**
 * Has one fault strike a schedule of its own at each of these moments of a job, with sizes from small to large and on both platforms;
 * where it takes effect at none of them, at the other moments as well until it does. Expects that it does, and that no check fails.
 */
export const playAtEachMoment = async (
  kind: FaultKind,
  at: readonly Moment[],
  draw: (seed: number) => Schedule,
): Promise<readonly Played[]> => {
  const all: Played[] = [];
  const strikes = (): number => all.reduce((sum, { backend }) => sum + backend.ledger.hits.size, 0);
  for (const moment of [...at, ...moments.filter((other) => !at.includes(other))]) {
    if (all.length >= at.length && strikes() > 0) break;
    const place = moments.indexOf(moment);
    const played = await play({
      ...draw(100 + place),
      platform: place % 3 === 2 ? 'page' : 'node',
      faults: [struckAt(kind, moment, (place + 0.5) / moments.length)],
    });
    expect([kind, moment, judge(played).violations]).toEqual([kind, moment, []]);
    all.push(played);
  }
  expect([kind, strikes() > 0]).toEqual([kind, true]);
  return all;
};
