import { describe, expect, it } from 'vitest';
import { jobDetails } from '../../src/job/job-details.js';
import type { JobDetail } from '../../src/protocol/answers/job-detail.js';
import type { ServiceError } from '../../src/protocol/errors/errors.js';
import { serviceError } from '../../src/protocol/errors/service-error.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { answers, fakeRest } from '../helpers/fake-rest.js';

const missing = serviceError('NotFound', {});
const told = { promptId: 'p', status: 'failed', phase: 'failed', outputs: {} } as const;

const asked = (...answered: readonly (JobDetail | ServiceError)[]) => {
  const jobs = answers(...answered);
  const { clock } = fakePlatform();
  return { clock, count: jobs.count, details: jobDetails(fakeRest({ job: jobs.call }), clock) };
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

  it('F21: is gone where it knows none of three jobs in a row', async () => {
    const { details } = asked(told, missing, missing, told, missing, missing, missing);
    await details.ask('a');
    expect([await details.ask('b'), await details.ask('c')]).toEqual(['unknown', 'unknown']);
    expect(await details.ask('a')).toEqual(told);
    expect([await details.ask('b'), await details.ask('c')]).toEqual(['unknown', 'unknown']);
    expect(await details.ask('d')).toBe('none');
    expect(details.isThere()).toBe(false);
  });
});
