import { type Dialect, dialects } from '../../src/client/dialects/dialects.js';
import { describe, expect, it } from 'vitest';
import { exhaustMap, Subject } from 'rxjs';
import { fakePlatform } from '../helpers/fake-platform.js';
import { fakeRest } from '../helpers/fake-rest.js';
import { reconcile, type LastSeen } from '../../src/client/jobs/reconcile.js';
import type { JobInput } from '../../src/core/state/step-job-state.js';
import type { JobStatus } from '../../src/core/endpoints/job-status.js';
import { jobDetails } from '../../src/client/jobs/job-details.js';
import { knownJobs } from '../../src/client/jobs/known-jobs.js';
import { noMisses } from '../../src/client/jobs/status-answers.js';
import { rateLimiter } from '../../src/client/jobs/rate-limiter.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

const missing = serviceError('NotFound', {});
const running: JobStatus = { promptId: 'p', status: 'in_progress', phase: 'in_progress' };
const noQueue = serviceError('ServerError', { status: 500 });

const lastSeen = (wasSeen: boolean): LastSeen & { lastFrameAt: number } => ({
  promptId: 'p',
  lastFrameAt: -Infinity,
  answeredAt: wasSeen ? -1 : -Infinity,
  get seenAt() {
    return Math.max(this.lastFrameAt, this.answeredAt);
  },
  answers: noMisses,
  isWaiting: true,
  isCancelled: false,
  isOnSameServer: true,
});

/** A job that is polled whenever the test says, every 20 s by `pollFor`. */
const asked = (
  statusOf: (promptId: string) => JobStatus | ServiceError,
  {
    wasSeen = true,
    others = [],
    hasUser = false,
    dialect = 'cloud',
    burst = 10,
  }: {
    wasSeen?: boolean;
    others?: readonly string[];
    hasUser?: boolean;
    dialect?: Dialect;
    burst?: number;
  } = {},
) => {
  const platform = fakePlatform();
  const known = knownJobs(platform.clock);
  for (const other of others) known.add(other);
  const polls = new Subject<void>();
  const events: JobInput[] = [];
  const polled: string[] = [];
  const historyAsked: string[] = [];
  let error: unknown;
  const job = lastSeen(wasSeen);
  const jobStatus = (promptId: string): TE.TaskEither<ServiceError, JobStatus> => {
    polled.push(promptId);
    const answer = statusOf(promptId);
    return answer instanceof Error ? TE.left(answer) : TE.right(answer);
  };
  const needs = {
    platform,
    dialect: dialects[dialect],
    notFoundAfterMs: 30_000,
    rest: fakeRest({
      jobStatus,
      history: (promptId) => {
        historyAsked.push(promptId);
        return TE.left(missing);
      },
    }),
    serves: hasUser ? TE.right({ status: 'active' }) : TE.left(missing),
    details: jobDetails(fakeRest()),
    limiter: rateLimiter(platform.clock, { perSecond: 1, burst }),
    known,
  };
  polls.pipe(exhaustMap(() => reconcile(needs, job))).subscribe({
    next: ({ event }) => events.push(event),
    error: (problem: unknown) => (error = problem),
  });
  const { clock } = platform;
  const pollFor = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms && error === undefined; passed += 20_000) {
      polls.next();
      await clock.advance(20_000);
    }
  };
  return {
    ask: () => polls.next(),
    pollFor,
    clock,
    events,
    polled,
    historyAsked,
    needs,
    error: () => error,
    job,
  };
};

describe('reconcile', () => {
  it('asks once each time', async () => {
    const { ask, clock, events, polled } = asked(() => running);
    ask();
    await clock.advance(0);
    ask();
    await clock.advance(0);
    expect(polled).toEqual(['p', 'p']);
    expect(events).toHaveLength(2);
  });

  it.each(['Network', 'Timeout', 'ServerError', 'RateLimited', 'Decode'] as const)(
    'E15: learns nothing from %s and asks at the next poll',
    async (tag) => {
      let fails = true;
      const failed = serviceError(tag, { code: 'x', sent: true, timeoutMs: 1, reason: 'x' });
      const { ask, clock, events, error } = asked(() => (fails ? failed : running));
      ask();
      await clock.advance(0);
      expect(events).toEqual([]);
      expect(error()).toBeUndefined();
      fails = false;
      ask();
      await clock.advance(0);
      expect(events).toMatchObject([{ phase: 'in_progress' }]);
    },
  );

  it.each(['Unauthorized', 'Forbidden', 'InsufficientCredits', 'SubscriptionInactive'] as const)(
    'E24: goes on after %s with a job that some source reported, and errors for one that nothing ever reported',
    async (tag) => {
      let refuses = true;
      const refused = () => (refuses ? serviceError(tag, {}) : running);
      const { ask, clock, error, events } = asked(refused);
      ask();
      await clock.advance(0);
      expect(error()).toBeUndefined();
      refuses = false;
      ask();
      await clock.advance(0);
      expect(events).toMatchObject([{ phase: 'in_progress' }]);
      refuses = true;
      const unseen = asked(refused, { wasSeen: false });
      unseen.ask();
      await unseen.clock.advance(0);
      expect(unseen.error()).toMatchObject({ _tag: tag });
    },
  );

  it('F3: calls a known job untraceable once the service has answered for another job for 2 minutes', async () => {
    const { pollFor, events } = asked((id) => (id === 'p' ? missing : running), { others: ['other'] });
    await pollFor(140_000);
    expect(events).toEqual([]);
    await pollFor(40_000);
    expect(events[0]).toEqual({ _tag: 'Untraceable', promptId: 'p' });
  });

  it('F3: takes the account as an answer where the service knew no other job', async () => {
    const { pollFor, events } = asked(() => missing, { hasUser: true });
    await pollFor(180_000);
    expect(events[0]).toEqual({ _tag: 'Untraceable', promptId: 'p' });
  });

  it.each([
    ['says what to change', serviceError('ProtocolChanged', { hint: 'Use another dialect.' }), true],
    ['says it of that answer alone', serviceError('Decode', { reason: 'html', hint: 'Read it.' }), false],
  ])('F30: errors after 5 minutes of odd answers, with the hint of one that %s', async (_, odd, isKept) => {
    const { pollFor, error } = asked(() => odd);
    await pollFor(360_000);
    expect(error()).toMatchObject({ _tag: 'ProtocolChanged', promptId: 'p' });
    expect((error() as ServiceError).hint === odd.hint).toBe(isKept);
  });

  it('F2: forgets a miss when the job is there the second time', async () => {
    let isListed = false;
    const { ask, clock, events, job } = asked(() => (isListed ? running : missing));
    ask();
    await clock.advance(2_000);
    isListed = true;
    ask();
    await clock.advance(0);
    expect(events).toMatchObject([{ _tag: 'StatusRead', phase: 'in_progress' }]);
    expect(job.answers).toBe(noMisses);
  });

  it('asks for nothing else at the first miss', async () => {
    const { ask, clock, polled } = asked(() => missing, { others: ['other'] });
    ask();
    await clock.advance(0);
    expect(polled).toEqual(['p']);
  });

  it('counts misses from the latest frame of the job', async () => {
    const { pollFor, clock, job, events } = asked((id) => (id === 'p' ? missing : running), {
      others: ['other'],
    });
    await pollFor(120_000);
    job.lastFrameAt = clock.now();
    await pollFor(140_000);
    expect(events).toEqual([]);
  });

  describe('where the service knew another job', () => {
    it('F14: goes on while it knows neither: the routes are gone, not the job', async () => {
      let areGone = true;
      const { ask, pollFor, clock, events, error } = asked(() => (areGone ? missing : running), {
        others: ['other'],
        hasUser: true,
      });
      await pollFor(200_000);
      expect(events).toEqual([]);
      areGone = false;
      ask();
      await clock.advance(0);
      expect(events).toMatchObject([{ _tag: 'StatusRead', phase: 'in_progress' }]);
      expect(error()).toBeUndefined();
    });

    it('F14: errors with ProtocolChanged once the routes are gone for 5 minutes', async () => {
      const { pollFor, events, error } = asked(() => missing, { others: ['other'], hasUser: true });
      await pollFor(300_000);
      expect(error()).toBeUndefined();
      await pollFor(60_000);
      expect(error()).toMatchObject({ _tag: 'ProtocolChanged', promptId: 'p' });
      expect(events).toEqual([]);
    });

    it.each([
      ['fails', noQueue],
      ['is refused', serviceError('Unauthorized', {})],
    ])('learns nothing where the question for the other one %s', async (_, answer) => {
      const { pollFor, events, error } = asked((id) => (id === 'p' ? missing : answer), {
        others: ['other'],
      });
      await pollFor(900_000);
      expect(events).toEqual([]);
      expect(error()).toBeUndefined();
    });
  });

  it('notes when REST reported the job', async () => {
    const { ask, clock, job } = asked(() => running);
    await clock.advance(7);
    ask();
    await clock.advance(0);
    expect(job.answeredAt).toBe(7);
  });

  it('counts a frame that came in the millisecond of the first miss', async () => {
    const { ask, clock, job } = asked(() => missing);
    ask();
    await clock.advance(0);
    job.lastFrameAt = job.answers.since;
    await clock.advance(2_000);
    ask();
    await clock.advance(0);
    expect(job.answers.misses).toBe(1);
  });

  it('errors where the client is closed, also for a job that some source reported', async () => {
    const { ask, clock, error } = asked(() => serviceError('Closed', {}));
    ask();
    await clock.advance(0);
    expect(error()).toMatchObject({ _tag: 'Closed' });
  });

  it('waits for a turn before it asks history, and gives it up when it is left', async () => {
    for (const leaves of [false, true]) {
      const { needs, job, clock, historyAsked } = asked(() => missing, { burst: 1 });
      needs.limiter.permitsFor('status').subscribe();
      const reconciliation = reconcile(needs, job).subscribe();
      await clock.advance(999);
      expect(historyAsked).toEqual([]);
      if (leaves) reconciliation.unsubscribe();
      await clock.advance(1);
      expect(historyAsked).toEqual(leaves ? [] : ['p']);
    }
  });

  it('F22: asks for no history where it is left before the status is answered', async () => {
    const { needs, job, clock, historyAsked } = asked(() => missing);
    reconcile(needs, job).subscribe().unsubscribe();
    await clock.advance(1_000);
    expect(historyAsked).toEqual([]);
  });

  it('F28: asks for other jobs one by one, and only after the second miss in a row', async () => {
    let fails = false;
    const { pollFor, polled } = asked((id) => (fails ? noQueue : id === 'p' ? missing : running), {
      others: ['one', 'two'],
    });
    await pollFor(20_000);
    expect(polled).toEqual(['p']);
    await pollFor(20_000);
    expect(polled).toEqual(['p', 'p', 'one']);
    fails = true;
    await pollFor(60_000);
    expect(polled.slice(3)).toEqual(['p', 'p', 'p']);
  });

  describe('of a local server', () => {
    const local = { dialect: 'local', others: ['other'] } as const;

    it('F26: takes a missing job whose cancellation was taken for cancelled, and no odd answer', async () => {
      const odd = serviceError('UnexpectedStatus', { status: 410 });
      for (const [answer, events] of [
        [missing, [{ _tag: 'StatusRead', promptId: 'p', phase: 'cancelled' }]],
        [odd, []],
      ] as const) {
        const it = asked(() => answer, local);
        Object.assign(it.job, { isCancelled: true });
        it.ask();
        await it.clock.advance(249);
        expect(it.events).toEqual([]);
        await it.clock.advance(1);
        expect(it.events).toEqual(events);
      }
    });

    it('M10: does not take a job for cancelled whose record trails its end', async () => {
      const ended = { promptId: 'p', status: 'success', phase: 'completed' } as const;
      let asks = 0;
      const it = asked(() => ((asks += 1) === 1 ? missing : ended), local);
      Object.assign(it.job, { isCancelled: true });
      it.ask();
      await it.clock.advance(250);
      expect(it.events).toMatchObject([{ promptId: 'p', phase: 'completed' }]);
    });

    it('L12: asks neither history nor for other jobs where the queue reports that one is missing', async () => {
      const { pollFor, polled, historyAsked, job } = asked(() => missing, local);
      Object.assign(job, { isWaiting: false });
      await pollFor(80_000);
      expect([...new Set(polled)]).toEqual(['p']);
      expect(historyAsked).toEqual([]);
    });
  });

  it.each([
    ['its routes are gone', missing, /knows none of the jobs that it knew/],
    [
      'nothing makes sense',
      serviceError('UnexpectedStatus', { status: 410 }),
      /answered nothing about the job/,
    ],
  ])('F14: says whether %s', async (_, answer, message) => {
    const { pollFor, error } = asked(() => answer, { others: ['other'], hasUser: true });
    await pollFor(400_000);
    expect((error() as Error).message).toMatch(message);
  });
});
