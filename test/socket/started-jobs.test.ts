import { startedJobs } from '../../src/core/socket/started-jobs.js';
import { describe, expect, it } from 'vitest';

describe('startedJobs', () => {
  it('lists for each watch the jobs that started since, and until its end', () => {
    const jobs = startedJobs();
    jobs.add('before');
    const first = jobs.since();
    jobs.add('a');
    const second = jobs.since();
    jobs.add('b');
    jobs.add('b');
    second.end();
    jobs.add('c');
    expect(first.ids()).toEqual(['a', 'b', 'c']);
    expect(second.ids()).toEqual(['b']);
  });

  it('keeps the latest 1,000', () => {
    const jobs = startedJobs();
    const first = jobs.since();
    for (let n = 0; n < 600; n += 1) jobs.add(`early ${n}`);
    const second = jobs.since();
    for (let n = 0; n < 600; n += 1) jobs.add(`late ${n}`);
    expect(first.ids()).toHaveLength(1_000);
    expect(first.ids()[0]).toBe('early 200');
    expect(second.ids()).toHaveLength(600);
  });

  it('forgets all with the last who wants to know, and begins anew', () => {
    const jobs = startedJobs();
    const first = jobs.since();
    jobs.add('a');
    first.end();
    first.end();
    jobs.add('b');
    expect(first.ids()).toEqual([]);
    const second = jobs.since();
    jobs.add('c');
    expect(second.ids()).toEqual(['c']);
    expect(first.ids()).toEqual([]);
  });

  it('lists for a watch that has ended what is still kept of it, and nothing of later', () => {
    const jobs = startedJobs();
    const [open, ended] = [jobs.since(), jobs.since()];
    jobs.add('first');
    ended.end();
    for (let n = 0; n < 999; n += 1) jobs.add(`later ${n}`);
    ended.end();
    expect(ended.ids()).toEqual(['first']);
    jobs.add('latest');
    expect(ended.ids()).toEqual([]);
    expect(open.ids()).toHaveLength(1_000);
  });
});
