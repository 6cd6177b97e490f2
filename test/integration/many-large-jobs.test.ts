import { expect, it } from 'vitest';
import { holdJobs } from '../scoreboard/many-large-jobs.js';

it('I-14: a program runs 24 jobs of 200 nodes in a heap of 128 MiB', async () => {
  expect(await holdJobs({ from: 1, count: 24 })).toMatchObject({ counts: { completed: 24 }, problems: [] });
});
