import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { requestBudget } from '../../src/job/budget.js';
import { reconcile } from '../../src/job/reconcile.js';
import type { ServiceError } from '../../src/protocol/errors.js';
import type { JobEvent } from '../../src/protocol/job-event.js';
import type { JobStatus } from '../../src/protocol/job-status.js';
import { serviceError } from '../../src/protocol/service-error.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { answers, fakeRest } from '../helpers/fake-rest.js';

const missing = serviceError('NotFound', {});
const running: JobStatus = { promptId: 'p', status: 'in_progress', phase: 'in_progress' };

const asked = (sighted: boolean, ...list: readonly (JobStatus | ServiceError)[]) => {
  const platform = fakePlatform();
  const jobStatus = answers(...list);
  const occasion = new Subject<void>();
  const events: JobEvent[] = [];
  let error: unknown;
  occasion
    .pipe(
      reconcile(
        { platform, rest: fakeRest({ jobStatus: jobStatus.call }), budget: requestBudget(platform.clock) },
        'p',
        () => sighted,
      ),
    )
    .subscribe({ next: (event) => events.push(event), error: (problem: unknown) => (error = problem) });
  return {
    ask: () => occasion.next(),
    clock: platform.clock,
    events,
    count: jobStatus.count,
    error: () => error,
  };
};

describe('reconcile', () => {
  it('asks once for each occasion and not while it is asking', async () => {
    const { ask, clock, events, count } = asked(true, running);
    ask();
    ask();
    await clock.advance(0);
    expect(count()).toBe(1);
    ask();
    await clock.advance(0);
    expect(count()).toBe(2);
    expect(events).toHaveLength(2);
  });

  it.each(['Network', 'Timeout', 'ServerError', 'RateLimited', 'Decode'] as const)(
    'learns nothing from %s and asks on the next occasion',
    async (tag) => {
      const failed = serviceError(tag, { code: 'x', sent: true, timeoutMs: 1, reason: 'x' });
      const { ask, clock, events, error } = asked(true, failed, running);
      ask();
      await clock.advance(0);
      expect(events).toEqual([]);
      expect(error()).toBeUndefined();
      ask();
      await clock.advance(0);
      expect(events).toMatchObject([{ phase: 'in_progress' }]);
    },
  );

  it.each([
    'Unauthorized',
    'Forbidden',
    'InsufficientCredits',
    'SubscriptionInactive',
    'ProtocolChanged',
  ] as const)('errors with %s, which every later request would meet', async (tag) => {
    const { ask, clock, error } = asked(true, serviceError(tag, {}));
    ask();
    await clock.advance(0);
    expect(error()).toMatchObject({ _tag: tag });
  });

  it('calls a known job untraceable at its second miss, 30 s after the first', async () => {
    const { ask, clock, events, count } = asked(true, missing);
    ask();
    await clock.advance(29_999);
    expect(events).toEqual([]);
    expect(count()).toBe(1);
    await clock.advance(1);
    expect(events).toEqual([{ _tag: 'Untraceable', promptId: 'p' }]);
    expect(count()).toBe(2);
  });

  it('forgets a miss when the job is there the second time', async () => {
    const { ask, clock, events } = asked(true, missing, running);
    ask();
    await clock.advance(30_000);
    expect(events).toMatchObject([{ _tag: 'StatusRead', phase: 'in_progress' }]);
  });

  it('does not call a job untraceable by a failed second look', async () => {
    const { ask, clock, events, error } = asked(true, missing, serviceError('ServerError', { status: 500 }));
    ask();
    await clock.advance(60_000);
    expect(events).toEqual([]);
    expect(error()).toBeUndefined();
  });

  it('errors with NotFound for a job that was never sighted, after a second look 2 s later', async () => {
    const { ask, clock, error, events } = asked(false, missing);
    ask();
    await clock.advance(1_999);
    expect(error()).toBeUndefined();
    await clock.advance(1);
    expect(error()).toMatchObject({ _tag: 'NotFound', promptId: 'p' });
    expect(events).toEqual([]);
  });

  it('asks for many jobs at the pace of the shared budget only', async () => {
    const platform = fakePlatform();
    const budget = requestBudget(platform.clock);
    const jobStatus = answers(running);
    const rest = fakeRest({ jobStatus: jobStatus.call });
    const reconnected = new Subject<void>();
    for (let job = 0; job < 1_000; job += 1) {
      reconnected.pipe(reconcile({ platform, rest, budget }, `p${job}`, () => true)).subscribe();
    }
    reconnected.next();
    await platform.clock.advance(0);
    expect(jobStatus.count()).toBe(10);
    await platform.clock.advance(10_000);
    expect(jobStatus.count()).toBe(60);
  });
});
