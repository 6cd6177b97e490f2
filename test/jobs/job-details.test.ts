import { answers, fakeRest } from '../helpers/fake-rest.js';
import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import type { JobDetail } from '../../src/core/endpoints/job-detail.js';
import { jobsApi } from '../../src/core/http/jobs-api.js';
import { jobDetails } from '../../src/client/jobs/job-details.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';

const missing = serviceError('NotFound', {});
const told = { promptId: 'p', status: 'failed', phase: 'failed', outputs: {} } as const;

const asked = (...answered: readonly (JobDetail | ServiceError)[]) => {
  const jobs = answers(...answered);
  const { clock } = fakePlatform();
  return {
    clock,
    count: jobs.count,
    details: jobDetails(fakeRest({ jobDetail: jobs.call, jobsApi: jobsApi(clock) })),
  };
};

describe('the jobs API', () => {
  it('F21: is not asked again for 10 minutes where its first answer is a 404', async () => {
    const { details, clock, count } = asked(missing, told);
    expect(await details.ask('a')).toBe('none');
    expect(await details.ask('b')).toBe('none');
    expect(count()).toBe(1);
    await clock.advance(600_000);
    expect(await details.ask('b')).toEqual(told);
  });

  it('F20: is asked about other jobs where it knows one job less than it did', async () => {
    const { details } = asked(told, missing, missing, missing, missing, told);
    await details.ask('a');
    for (let times = 0; times < 4; times += 1) expect(await details.ask('hidden')).toBe('unknown');
    expect(details.isThere()).toBe(true);
    expect(await details.ask('b')).toEqual(told);
  });

  it('F41: is asked again where it does not know a job that REST does not know otherwise', async () => {
    const { details } = asked(missing, told);
    expect(await details.ask('hidden', { isKnown: false })).toBe('unknown');
    expect(await details.ask('hidden')).toEqual(told);
  });

  it.each(['BadRequest', 'UnexpectedStatus', 'Decode', 'TooLarge'] as const)(
    'F39: is gone where it gives three odd answers in a row (%s)',
    async (tag) => {
      const { details } = asked(serviceError(tag, {}));
      expect([await details.ask('a'), await details.ask('b')]).toEqual(['unknown', 'unknown']);
      expect(await details.ask('c')).toBe('none');
    },
  );

  it('F21: is gone where it knows none of three jobs in a row', async () => {
    const { details } = asked(told, missing, missing, told, missing, missing, missing);
    await details.ask('a');
    expect([await details.ask('b'), await details.ask('c')]).toEqual(['unknown', 'unknown']);
    expect(await details.ask('a')).toEqual(told);
    expect([await details.ask('b'), await details.ask('c')]).toEqual(['unknown', 'unknown']);
    expect(await details.ask('d')).toBe('none');
    expect(details.isThere()).toBe(false);
  });

  it('F21: counts again whom it does not know after each job that it knows', async () => {
    const { details } = asked(told, missing, missing, told, missing, missing);
    const answered = [];
    for (const id of ['a', 'b', 'c', 'a', 'd', 'e']) answered.push(await details.ask(id));
    expect(answered).toEqual([told, 'unknown', 'unknown', told, 'unknown', 'unknown']);
  });

  const page = serviceError('Decode', { reason: 'no JSON' });
  const gone = serviceError('ProtocolChanged', {});
  const redirect = serviceError('UnexpectedStatus', { status: 302 });
  const failed = serviceError('Network', { code: 'X', sent: true });

  /** What it answers to questions for one job, one after the other. */
  const answered = async (details: ReturnType<typeof jobDetails>, times: number) => {
    const list = [];
    for (let time = 0; time < times; time += 1) list.push(await details.ask('p'));
    return list;
  };

  it.each<readonly [string, ServiceError, ServiceError, ServiceError]>([
    ['pages', page, page, page],
    ['a page, another shape and a redirect', page, gone, redirect],
    ['a redirect, a page and another shape', redirect, page, gone],
  ])('F21: is not there after three answers in a row that are no job’s: %s', async (_, ...odd) => {
    const { details, clock, count } = asked(...odd, page, page, told);
    expect(await answered(details, 4)).toEqual(['unknown', 'unknown', 'none', 'none']);
    expect(count()).toBe(3);
    await clock.advance(599_999);
    expect(details.isThere()).toBe(false);
    await clock.advance(1);
    expect(await answered(details, 3)).toEqual(['unknown', 'unknown', told]);
  });

  it.each([
    ['a job', told, told],
    ['a failing network', failed, 'unknown'],
  ])('F21: counts such answers again after %s', async (_, between, answer) => {
    const { details } = asked(page, page, between, page, page, told);
    expect(await answered(details, 6)).toEqual(['unknown', 'unknown', answer, 'unknown', 'unknown', told]);
  });

  it('F21: may be there after no answer, however often, and also after it was not', async () => {
    const { details, clock } = asked(missing, failed, failed, failed, failed, told, missing);
    expect(await answered(details, 1)).toEqual(['none']);
    await clock.advance(600_000);
    expect(await answered(details, 5)).toEqual(['unknown', 'unknown', 'unknown', 'unknown', told]);
  });

  it('F21: believes one 404 again once it was gone', async () => {
    const { details, clock } = asked(told, missing, missing, missing, missing, told);
    for (const id of ['a', 'b', 'c', 'd']) await details.ask(id);
    await clock.advance(600_000);
    expect(await details.ask('e')).toBe('none');
  });

  it('F21: is asked once by many jobs until its first answer, then by all at the same time', async () => {
    const open: ((answer: E.Either<ServiceError, JobDetail>) => void)[] = [];
    const job = () => () => new Promise<E.Either<ServiceError, JobDetail>>((resolve) => open.push(resolve));
    const details = jobDetails(fakeRest({ jobDetail: job }));
    const all = ['a', 'b', 'c'].map((id) => details.ask(id));
    await new Promise(setImmediate);
    expect(open).toHaveLength(1);
    open[0]!(E.right(told));
    await new Promise(setImmediate);
    expect(open).toHaveLength(3);
    for (const answer of open) answer(E.right(told));
    expect(await Promise.all(all)).toEqual([told, told, told]);
  });
});
