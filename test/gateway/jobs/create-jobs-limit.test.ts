import { describe, expect, it } from 'vitest';
import { alice, playedGateway, workflow } from '../support.js';

describe('createJobs', () => {
  it('limits the jobs of one owner to a thousand where nothing else is set', async () => {
    const { jobs } = await playedGateway();
    const answers = [];
    for (let count = 0; count <= 1_000; count += 1)
      answers.push((await jobs.submit(alice, { workflow }))._tag);
    expect([answers.indexOf('limit'), answers.at(-1)]).toEqual([1_000, 'limit']);
  });
});
