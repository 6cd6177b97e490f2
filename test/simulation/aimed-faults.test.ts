import { expect, it } from 'vitest';
import { withAimedFaults } from './aimed-faults.js';
import { drawSchedule } from './draw-schedule.js';
import { faultKinds, submissionKinds } from './faults/index.js';
import { play } from './play.js';
import { moments } from './schedule.js';

const drawn = drawSchedule(1, { kinds: 'all' });
const ofSubmissions = faultKinds.filter((kind) => submissionKinds.has(kind));

it('pairs every fault of a submission with every kind in 5,000 seeds, brings every kind to every moment, and leaves the drawn faults as they are', () => {
  const pairs = new Map<string, number>();
  const cells = new Map<string, number>();
  const count = (of: Map<string, number>, name: string): void => void of.set(name, (of.get(name) ?? 0) + 1);
  for (let seed = 1; seed <= 5_000; seed += 1) {
    const { faults } = withAimedFaults({ ...drawn, seed }, faultKinds);
    const [first, second, third] = faults.slice(drawn.faults.length);
    expect(faults.slice(0, -4)).toEqual(drawn.faults);
    count(pairs, `${first!.kind} + ${second!.kind}`);
    if (!submissionKinds.has(third!.kind)) count(cells, `${third!.kind} @ ${third!.moment}`);
  }
  expect([pairs.size, Math.min(...pairs.values())]).toEqual([ofSubmissions.length * faultKinds.length, 2]);
  expect(cells.size).toBe((faultKinds.length - ofSubmissions.length) * moments.length);
});

it('strikes a submission with most of the faults that are aimed at one', async () => {
  let struck = 0;
  for (let seed = 1; seed <= 20; seed += 1) {
    const schedule = withAimedFaults(drawSchedule(seed, { kinds: 'all', maxFaults: 0 }), faultKinds);
    const { backend } = await play(schedule);
    if (backend.ledger.hits.has(schedule.faults[0]!.index)) struck += 1;
  }
  expect(struck).toBeGreaterThan(14);
});
