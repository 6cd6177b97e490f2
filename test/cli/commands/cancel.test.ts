import { answers, fakeRest } from '../../helpers/fake-rest.js';
import { cancelAndConfirm } from '../../../src/cli/commands/cancel.js';
import { describe, expect, it } from 'vitest';
import { type JobStatus, serviceError, type ServiceError } from '../../../src/node.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

const status = (phase: JobStatus['phase']): JobStatus => ({ promptId: 'p', status: phase, phase });

/** The outcome for a job of these statuses, one for each look, and how often the cancellation was asked for. */
const outcomeOf = async (statuses: readonly (JobStatus | ServiceError)[], withinMs?: number) => {
  let requests = 0;
  const outcome = await cancelAndConfirm(
    {
      cancel: () => {
        requests += 1;
        return TE.right(undefined);
      },
      rest: fakeRest({ jobStatus: answers<JobStatus>(...statuses).call }),
    },
    'p',
    { signal: new AbortController().signal, ...(withinMs === undefined ? {} : { withinMs }) },
  );
  return { outcome, requests };
};

describe('cancelAndConfirm', () => {
  it('asks again while the job goes on, until it has ended, also where a look fails', async () => {
    const looks = [
      status('in_progress'),
      status('in_progress'),
      serviceError('ServerError', { message: 'x' }),
    ];
    expect(await outcomeOf([...looks, status('cancelled')])).toEqual({
      outcome: { _tag: 'cancelled' },
      requests: 2,
    });
  });

  it('takes a job for cancelled that a local server has forgotten', async () => {
    const { outcome } = await outcomeOf([status('pending'), serviceError('NotFound', {})]);
    expect(outcome).toEqual({ _tag: 'cancelled' });
  });

  it('asks for the end of a job that no look knows, and says so', async () => {
    const { outcome, requests } = await outcomeOf([serviceError('NotFound', {})]);
    expect(outcome).toMatchObject({ _tag: 'failed', error: { _tag: 'NotFound' } });
    expect(requests).toBe(1);
  });

  it('tells a job that completed meanwhile from one that was cancelled', async () => {
    const { outcome } = await outcomeOf([status('in_progress'), status('completed')]);
    expect(outcome).toEqual({ _tag: 'over', phase: 'completed' });
  });

  it('asks for nothing where the job is over, cancelled or not', async () => {
    expect(await outcomeOf([status('cancelled')])).toEqual({
      outcome: { _tag: 'over', phase: 'cancelled' },
      requests: 0,
    });
  });

  it('says that the cancellation was not applied where the job does not end in time', async () => {
    const { outcome } = await outcomeOf([status('in_progress')], 0);
    expect(outcome).toMatchObject({ _tag: 'failed', error: { _tag: 'CancelNotApplied', promptId: 'p' } });
  });
});
