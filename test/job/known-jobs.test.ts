import { describe, expect, it } from 'vitest';
import { knownJobs } from '../../src/job/known-jobs.js';

describe('knownJobs', () => {
  it('I-10: names the three latest others, the newest last', () => {
    const known = knownJobs({ now: () => 0 });
    expect(known.others('a')).toEqual([]);
    for (const id of ['a', 'b', 'c', 'd', 'b', 'e']) known.add(id);
    expect(known.others('e')).toEqual(['c', 'd', 'b']);
    expect(known.others('x')).toEqual(['d', 'b', 'e']);
  });

  it('F27: names as witnesses of a time the others that were known by then', () => {
    let now = 1;
    const known = knownJobs({ now: () => now });
    known.add('a');
    known.add('b');
    now = 2;
    known.add('c');
    known.add('a');
    expect(known.witnesses('b', 1)).toEqual(['a']);
    expect(known.witnesses('b', 2)).toEqual(['c', 'a']);
    expect(known.witnesses('b', 0)).toEqual([]);
  });

  it('I-10: forgets the oldest of very many', () => {
    const known = knownJobs({ now: () => 0 });
    for (let id = 0; id < 1_000; id += 1) known.add(String(id));
    expect(known.witnesses('', 0)).toHaveLength(8);
    known.add('0');
    expect(known.others('')).toEqual(['998', '999', '0']);
  });
});
