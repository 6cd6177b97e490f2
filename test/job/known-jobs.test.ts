import { describe, expect, it } from 'vitest';
import { knownJobs } from '../../src/job/known-jobs.js';

describe('knownJobs', () => {
  it('I-10: names the three latest others, the newest last', () => {
    const known = knownJobs();
    expect(known.others('a')).toEqual([]);
    for (const id of ['a', 'b', 'c', 'd', 'b', 'e']) known.add(id);
    expect(known.others('e')).toEqual(['c', 'd', 'b']);
    expect(known.others('x')).toEqual(['d', 'b', 'e']);
  });
});
