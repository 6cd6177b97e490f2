import { aJob } from '../v2/a-job.js';
import { describe, expect, it } from 'vitest';
import type { GatewayJob, JobFilter } from '../../../src/server/gateway/model/gateway-jobs.js';
import { done } from '../../../src/core/protocol/steps.js';
import { pageOf as pagingOf } from '../../../src/server/gateway/jobs/list-jobs.js';

const picture = (prompt: string) => ({
  1: { class_type: 'Encode', inputs: { text: prompt, deep: { list: [`${prompt} again`] } } },
  2: { class_type: 'Save', inputs: {}, _meta: { title: 'The Result' } },
});
const outputs = { 2: { images: [{ filename: 'lighthouse_0001.png', subfolder: '', type: 'output' }] } };

const pageOf = (...args: Parameters<typeof pagingOf<GatewayJob>>) => done(pagingOf(...args));

const idsOf = (jobs: readonly GatewayJob[], filter: Partial<JobFilter>): readonly string[] | undefined =>
  pageOf(jobs, { limit: 100, ...filter })?.page.map(({ record }) => record.id);

describe('a list of jobs', () => {
  const jobs = [
    aJob({ id: 'd', createdAt: 40, workflow: picture('A red (cat)'), metadata: { workflow: 'portrait' } }),
    aJob({ id: 'c', createdAt: 30, workflow: picture('a blue DOG'), template: 'portrait' }, { outputs }),
    aJob({ id: 'b', createdAt: 20, workflow: picture('nothing'), metadata: { user: 'cat lover' } }),
  ];

  it.each([
    ['a word of a prompt, in any case', 'CAT', ['d', 'b']],
    ['all words, wherever they stand', 'result blue', ['c']],
    ['a deeper text', 'again', ['d', 'c', 'b']],
    ['a file name', 'lighthouse_0001', ['c']],
    ['a template', 'portrait', ['d', 'c']],
    ['signs that mean something elsewhere', '(cat)', ['d']],
    ['blanks alone', '  ', ['d', 'c', 'b']],
    ['what is nowhere', 'cat dog', []],
  ])('finds %s', (_, text, ids) => {
    expect(idsOf(jobs, { text })).toEqual(ids);
  });

  it('begins at a time and ends before another, and takes jobs of a workflow by template or label', () => {
    expect(idsOf(jobs, { since: 30 })).toEqual(['d', 'c']);
    expect(idsOf(jobs, { until: 30 })).toEqual(['b']);
    expect(idsOf(jobs, { since: 20, until: 40 })).toEqual(['c', 'b']);
    expect(idsOf(jobs, { workflow: 'portrait' })).toEqual(['d', 'c']);
    expect(idsOf(jobs, { workflow: 'portrait', text: 'dog' })).toEqual(['c']);
  });

  it('takes jobs with an output of a kind, and no temporary file for one', () => {
    const film = { filename: 'a.mp4', subfolder: '', type: 'output' };
    const preview = { filename: 'p.png', subfolder: '', type: 'temp' };
    const filmed = aJob({ id: 'f' }, { outputs: { 3: { gifs: [film], images: [preview] } } });
    const all = [...jobs, filmed];
    expect((['image', 'video', 'audio'] as const).map((kind) => idsOf(all, { kind }))).toEqual([
      ['c'],
      ['f'],
      [],
    ]);
  });
});

describe('the pages of a list', () => {
  const named = (ids: string, createdAt = 10): readonly GatewayJob[] =>
    Array.from(ids, (id) => aJob({ id, createdAt }));
  /** All jobs, page by page; the list changes after each page. */
  const paged = (lists: readonly (readonly GatewayJob[])[]): readonly string[] => {
    const ids: string[] = [];
    let after: string | undefined;
    for (const jobs of lists) {
      const found = pageOf(jobs, { limit: 2, after });
      ids.push(...(found?.page.map(({ record }) => record.id) ?? []));
      after = found?.next;
      if (after === undefined) break;
    }
    return ids;
  };

  it('go on where they were while new jobs arrive', () => {
    expect(paged([named('fedcba'), named('ihgfedcba'), named('jihgfedcba')])).toEqual(Array.from('fedcba'));
  });

  it('lose no job and repeat none once the job that a page ended with is deleted, also within one millisecond', () => {
    expect(paged([named('fedcba'), named('fdcba'), named('fdba')])).toEqual(Array.from('fedcba'));
    const older = named('cba', 5);
    expect(paged([[...named('fed'), ...older], [...named('fd'), ...older], named('fa')])).toEqual(
      Array.from('fedc'),
    );
    expect(paged([named('ba'), []])).toEqual(Array.from('ba'));
    expect(paged([named('cba'), []])).toEqual(Array.from('cb'));
  });

  it('begin after a cursor alone that such a list gave', () => {
    for (const after of ['', 'a', '10_a', 'a.1_', 'a.x_b'])
      expect(pageOf(named('ba'), { limit: 1, after })).toBe(undefined);
  });
});
