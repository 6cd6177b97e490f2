import { exhaustMap, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { requestBudget } from '../../src/job/budget.js';
import { knownJobs } from '../../src/job/known-jobs.js';
import { inquire, type Sightings } from '../../src/job/inquire.js';
import type { ServiceError } from '../../src/protocol/errors/errors.js';
import type { JobEvent } from '../../src/protocol/state/job-event.js';
import type { JobStatus } from '../../src/protocol/answers/job-status.js';
import { serviceError } from '../../src/protocol/errors/service-error.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { answers, fakeRest } from '../helpers/fake-rest.js';

const missing = serviceError('NotFound', {});
const running: JobStatus = { promptId: 'p', status: 'in_progress', phase: 'in_progress' };

const sightings = (isSighted: boolean): Sightings & { heardAt: number } => ({
  promptId: 'p',
  heardAt: -Infinity,
  answeredAt: isSighted ? -1 : -Infinity,
  missedSince: undefined,
  get seenAt() {
    return Math.max(this.heardAt, this.answeredAt);
  },
});

const asked = (sighted: boolean, ...list: readonly (JobStatus | ServiceError)[]) => {
  const platform = fakePlatform();
  const jobStatus = answers(...list);
  const occasion = new Subject<void>();
  const events: JobEvent[] = [];
  let error: unknown;
  const job = sightings(sighted);
  const needs = {
    platform,
    rest: fakeRest({ jobStatus: jobStatus.call }),
    budget: requestBudget(platform.clock),
    known: knownJobs(),
  };
  occasion
    .pipe(exhaustMap(() => inquire(needs, job)))
    .subscribe({ next: (event) => events.push(event), error: (problem: unknown) => (error = problem) });
  return {
    ask: () => occasion.next(),
    clock: platform.clock,
    events,
    count: jobStatus.count,
    error: () => error,
    sight: () => (job.heardAt = platform.clock.now()),
  };
};

describe('inquire', () => {
  it('asks once each time', async () => {
    const { ask, clock, events, count } = asked(true, running);
    ask();
    await clock.advance(0);
    expect(count()).toBe(1);
    ask();
    await clock.advance(0);
    expect(count()).toBe(2);
    expect(events).toHaveLength(2);
  });

  it.each(['Network', 'Timeout', 'ServerError', 'RateLimited', 'Decode'] as const)(
    'E15: learns nothing from %s and asks on the next occasion',
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

  it('F3: calls a known job untraceable at its second miss, 30 s after the first', async () => {
    const { ask, clock, events, count } = asked(true, missing);
    ask();
    await clock.advance(29_999);
    expect(events).toEqual([]);
    expect(count()).toBe(1);
    await clock.advance(1);
    expect(events).toEqual([{ _tag: 'Untraceable', promptId: 'p' }]);
    expect(count()).toBe(2);
  });

  it('F2: forgets a miss when the job is there the second time', async () => {
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

  it('does not call a job untraceable that was heard of between two misses', async () => {
    const { ask, clock, sight, events, error } = asked(true, missing);
    ask();
    await clock.advance(10_000);
    sight();
    await clock.advance(20_000);
    expect(events).toEqual([]);
    ask();
    await clock.advance(30_000);
    expect(events).toEqual([{ _tag: 'Untraceable', promptId: 'p' }]);
    expect(error()).toBeUndefined();
  });

  it('gives a job that REST knew before its 30 s, though no frame told of it', async () => {
    const { ask, clock, events, error } = asked(false, running, missing);
    ask();
    await clock.advance(1_000);
    ask();
    await clock.advance(29_999);
    expect(error()).toBeUndefined();
    expect(events).toMatchObject([{ _tag: 'StatusRead' }]);
    await clock.advance(1);
    expect(events).toMatchObject([{ _tag: 'StatusRead' }, { _tag: 'Untraceable' }]);
  });

  it('learns nothing from a second miss after 2 s of a job that was first heard of meanwhile', async () => {
    const { ask, clock, sight, events, error } = asked(false, missing);
    ask();
    await clock.advance(1_000);
    sight();
    await clock.advance(1_000);
    expect(events).toEqual([]);
    expect(error()).toBeUndefined();
  });

  describe('where the service knew another job', () => {
    const beside = (statusOf: (promptId: string) => JobStatus | ServiceError) => {
      const platform = fakePlatform();
      const known = knownJobs();
      known.add('other');
      const occasion = new Subject<void>();
      const events: JobEvent[] = [];
      let error: unknown;
      const jobStatus = (promptId: string): TE.TaskEither<ServiceError, JobStatus> => {
        const answer = statusOf(promptId);
        return answer instanceof Error ? TE.left(answer) : TE.right(answer);
      };
      const needs = {
        platform,
        rest: fakeRest({ jobStatus }),
        budget: requestBudget(platform.clock),
        known,
      };
      const job = sightings(true);
      occasion
        .pipe(exhaustMap(() => inquire(needs, job)))
        .subscribe({ next: (event) => events.push(event), error: (problem: unknown) => (error = problem) });
      return { ask: () => occasion.next(), clock: platform.clock, events, error: () => error };
    };

    it('calls a job untraceable while it still knows the other one', async () => {
      const { ask, clock, events } = beside((promptId) => (promptId === 'p' ? missing : running));
      ask();
      await clock.advance(30_000);
      expect(events).toEqual([{ _tag: 'Untraceable', promptId: 'p' }]);
    });

    it('F14: goes on while it knows neither: the routes are gone, not the job', async () => {
      let areGone = true;
      const { ask, clock, events, error } = beside(() => (areGone ? missing : running));
      ask();
      await clock.advance(60_000);
      expect(events).toEqual([]);
      areGone = false;
      ask();
      await clock.advance(0);
      expect(events).toMatchObject([{ _tag: 'StatusRead', phase: 'in_progress' }]);
      expect(error()).toBeUndefined();
    });

    it('takes the answer of routes that came back between its questions', async () => {
      let looks = 0;
      const { ask, clock, events } = beside(() => ((looks += 1) <= 2 ? missing : running));
      ask();
      await clock.advance(30_000);
      expect(events).toMatchObject([{ _tag: 'StatusRead', phase: 'in_progress' }]);
    });

    it('errors with ProtocolChanged once the routes are gone for 5 minutes', async () => {
      const { ask, clock, events, error } = beside(() => missing);
      for (let minute = 0; minute < 5; minute += 1) {
        ask();
        await clock.advance(60_000);
      }
      expect(error()).toBeUndefined();
      ask();
      await clock.advance(60_000);
      expect(error()).toMatchObject({ _tag: 'ProtocolChanged', promptId: 'p' });
      expect(events).toEqual([]);
    });

    it('learns nothing where the question for the other one fails', async () => {
      const { ask, clock, events, error } = beside((promptId) =>
        promptId === 'p' ? missing : serviceError('ServerError', { status: 500 }),
      );
      ask();
      await clock.advance(60_000);
      expect(events).toEqual([]);
      expect(error()).toBeUndefined();
    });
  });
});
