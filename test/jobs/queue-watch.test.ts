import { describe, expect, it } from 'vitest';
import { rateLimiter } from '../../src/client/jobs/rate-limiter.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { Subject } from 'rxjs';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';
import { watchQueue } from '../../src/client/jobs/queue-watch.js';

const watching = (listed: () => TE.TaskEither<ServiceError, ReadonlySet<string>>) => {
  const clock = virtualClock();
  const queueLengths = new Subject<number>();
  const polled: string[] = [];
  let looks = 0;
  const job = (promptId: string, isWaiting: boolean) => ({
    promptId,
    isWaiting,
    poll: () => void polled.push(promptId),
  });
  const jobs = [job('running', false), job('waiting', true), job('gone', true)];
  const context = {
    ...{ platform: { clock }, source: { queueLengths }, limiter: rateLimiter(clock) },
    queuedJobs: () => {
      looks += 1;
      return listed()();
    },
  };
  const subscription = watchQueue(context, () => jobs).subscribe();
  return { clock, queueLengths, polled, looks: () => looks, subscription, jobs };
};

const listing = () => TE.right(new Set(['running', 'waiting', 'of another program']));

describe('watchQueue', () => {
  it('M8: polls every job at once where the queue is empty', () => {
    const { queueLengths, polled } = watching(listing);
    queueLengths.next(2);
    expect(polled).toEqual([]);
    queueLengths.next(0);
    expect(polled).toEqual(['running', 'waiting', 'gone']);
  });

  it('M10: polls the waiting jobs that a shrunken queue lists no more, after one look for all that shrinks in 3 s', async () => {
    const { clock, queueLengths, polled, looks } = watching(listing);
    for (const length of [4, 5, 4, 3]) queueLengths.next(length);
    await clock.advance(2_999);
    queueLengths.next(2);
    expect([polled, looks()]).toEqual([[], 0]);
    await clock.advance(1);
    expect([polled, looks()]).toEqual([['gone'], 1]);
    await clock.advance(60_000);
    expect(looks()).toBe(1);
    queueLengths.next(1);
    await clock.advance(3_000);
    expect(looks()).toBe(2);
  });

  it('M10: looks at no queue that has grown, and none without a job that waits', async () => {
    const { clock, queueLengths, jobs, looks } = watching(listing);
    queueLengths.next(1);
    queueLengths.next(2);
    await clock.advance(60_000);
    jobs.splice(1);
    queueLengths.next(1);
    await clock.advance(60_000);
    expect(looks()).toBe(0);
  });

  it('M10: polls no job for a listing that can not be read', async () => {
    const { clock, queueLengths, polled, looks } = watching(() =>
      TE.left(serviceError('ServerError', { status: 500 })),
    );
    queueLengths.next(3);
    queueLengths.next(2);
    await clock.advance(3_000);
    expect([polled, looks()]).toEqual([[], 1]);
  });

  it('leaves no timer behind once it is unsubscribed', () => {
    const { clock, queueLengths, subscription } = watching(listing);
    queueLengths.next(3);
    queueLengths.next(2);
    subscription.unsubscribe();
    expect(clock.pending()).toBe(0);
  });
});
