import { expect, it } from 'vitest';
import { drawSchedule } from './draw-schedule.js';
import { judge } from './invariants/index.js';
import { play } from './play.js';

const seeds: readonly (readonly [id: string, what: string, seed: number])[] = [
  ['F31', 'a job that no answer makes sense of is given up, while the service answers for others', 203],
  ['F31', 'a watcher that follows a job by its id sees no state before the job is given up', 238],
  ['F20', 'the jobs API that knows nothing of one job for a while has the reason of another', 239],
  ['F20', 'a reason is found after the jobs API knew nothing of a job that was hidden', 519],
  ['F19', 'the status says that a job was cancelled which the socket called failed', 736],
  ['F35', 'a record that was there is gone for two minutes, and then whole', 499],
  ['F39', 'nothing counts the files of a record while the jobs API answers oddly for good', 512],
];

it.each(seeds)('%s: %s (seed %i)', async (_id, _what, seed) => {
  const { violations } = judge(await play(drawSchedule(seed, { kinds: 'all' })), { strictly: true });
  expect(violations).toEqual([]);
});
