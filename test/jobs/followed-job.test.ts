import { type Dialect, dialects } from '../../src/client/dialects/dialects.js';
import { timerQueue } from '../../src/client/jobs/timer-queue.js';
import { BehaviorSubject, Observable } from 'rxjs';
import type { ConnectionState } from '../../src/core/socket/connection-state.js';
import { describe, expect, it } from 'vitest';
import { FollowedJob } from '../../src/client/jobs/followed-job.js';
import type { TrackerContext } from '../../src/client/jobs/tracker-context.js';
import { imageBound } from '../../src/client/jobs/image-bound.js';
import type { Tracked } from '../../src/client/jobs/tracked.js';
import * as E from 'fp-ts/lib/Either.js';
import { event, executing, promptId } from '../helpers/job-events.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { fakeRest } from '../helpers/fake-rest.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { jobsApi } from '../../src/core/http/jobs-api.js';
import { jobDetails } from '../../src/client/jobs/job-details.js';
import type { JobPhase, JobState } from '../../src/core/state/job-state.js';
import { knownJobs } from '../../src/client/jobs/known-jobs.js';
import { rateLimiter } from '../../src/client/jobs/rate-limiter.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';

const open = { _tag: 'open', clientId: 'one' } as const;
const start = event('execution_start', { timestamp: 1 });
const cached = event('execution_cached', { nodes: ['1'], timestamp: 1 });
const success = event('execution_success', { timestamp: 2 });
/** A frame of the job that tells nothing of it. */
const preview: Frame = { _tag: 'Preview', promptId, mediaType: 'image/png', image: Uint8Array.of(1) };
const missing = serviceError('NotFound', {});
const outputs = { '9': { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } };

/** One followed job; the test answers each of its requests. */
const followed = ({
  dialect = 'cloud',
  openedAt = 0,
  initial = {},
  hasJobsApi = false,
  ...tracked
}: Partial<Omit<Tracked, 'initial'>> & {
  readonly dialect?: Dialect;
  readonly openedAt?: number;
  readonly initial?: { readonly phase?: JobPhase };
  /** Whether the test answers the jobs API as well, which else does not know the job. */
  readonly hasJobsApi?: boolean;
} = {}) => {
  const platform = fakePlatform();
  const { clock } = platform;
  const asked: { readonly what: string; readonly answer: (told: object) => void }[] = [];
  const asking = (what: string) => () => () =>
    new Promise<E.Either<ServiceError, never>>((resolve) => {
      const answer = (told: object): void =>
        resolve(told instanceof Error ? E.left(told as ServiceError) : E.right(told as never));
      asked.push({ what, answer });
    });
  const rest = fakeRest({
    ...{ jobStatus: asking('status'), history: asking('history') },
    ...(hasJobsApi && { jobDetail: asking('detail') }),
  });
  const source = { openedAt, states: new BehaviorSubject<ConnectionState>(open) };
  let missed = 0;
  let there = 0;
  let left = 0;
  const desk: TrackerContext<FollowedJob> = {
    platform,
    dialect: dialects[dialect],
    notFoundAfterMs: 30_000,
    rest,
    limiter: rateLimiter(clock, { perSecond: 10, burst: 2 }),
    known: knownJobs(clock),
    serves: rest.user(),
    timers: timerQueue(clock),
    recordWithinMs: 120_000,
    recordsAppearWhole: false,
    recordsHoldMessages: false,
    marksRecords: false,
    details: jobDetails({ ...rest, jobsApi: jobsApi(clock) }),
    source,
    jobIsThere: () => void (there += 1),
    restWasAhead: () => void (missed += 1),
    left: () => void (left += 1),
    wasCancelled: () => false,
    images: imageBound(undefined, () => jobs),
    endIsKnown: () => undefined,
  };
  const states: JobState[] = [];
  const errors: unknown[] = [];
  const jobs: FollowedJob[] = [];
  const subscription = new Observable<JobState>((subscriber) => {
    const initialState = initialJobState({ promptId, ...initial });
    jobs.push(new FollowedJob(desk, subscriber, { initial: initialState, wasSeen: true, ...tracked }));
    return jobs[0]!;
  }).subscribe({
    next: (state) => void states.push(state),
    error: (error: unknown) => void errors.push(error),
  });
  return {
    job: jobs[0]!,
    desk,
    source,
    clock,
    states,
    errors,
    phases: () => states.map(({ phase }) => phase),
    close: () => subscription.unsubscribe(),
    asked: () => asked.map(({ what }) => what),
    /** Answers the oldest request that waits, and lets the job take it in. */
    answer: async (told: object): Promise<void> => {
      const index = asked.findIndex(({ what }) => !what.startsWith('answered'));
      const { what, answer } = asked[index]!;
      asked[index] = { what: `answered ${what}`, answer };
      answer(told);
      await clock.advance(0);
    },
    missed: () => missed,
    there: () => there,
    left: () => left,
  };
};

const status = (phase: JobPhase) => ({ promptId, status: phase, phase });
const record = (more: object) => ({ promptId, outputs: {}, isFinal: false, record: {}, ...more });

describe('a followed job', () => {
  it('learns its place in the queue while it waits, where the request budget has room', async () => {
    const { states, asked, answer, clock, job } = followed({ hasJobsApi: true });
    job.onConnectionState(open);
    await clock.advance(3_700);
    expect(asked()).toEqual(['detail']);
    await answer({ ...status('pending'), queue: { position: 2, reason: 'concurrency_limit' } });
    expect(states.at(-1)).toMatchObject({ queue: { position: 2, reason: 'concurrency_limit' } });
    await clock.advance(7_300);
    await answer({ ...status('pending'), queue: { position: 1, reason: 'concurrency_limit' } });
    expect(states.at(-1)).toMatchObject({ queue: { position: 1 } });
    expect(asked().length).toBe(2);
  });

  it.each([
    ['whose first answer tells no place', 'cloud', 1],
    ['of a server that tells none', 'local', 0],
  ] as const)('asks for a waiting job %s as often as for any other', async (_, dialect, looks) => {
    const { asked, answer, clock, job } = followed({ dialect, hasJobsApi: true });
    job.onConnectionState(open);
    await clock.advance(3_700);
    expect(asked().length).toBe(looks);
    if (looks > 0) await answer(status('pending'));
    await clock.advance(20_000);
    expect(asked().length).toBe(looks);
  });

  it('asks for its place alone while it waits, and polls after that where it has to', async () => {
    const { asked, answer, clock, job } = followed({ hasJobsApi: true });
    job.onConnectionState(open);
    await clock.advance(3_700);
    await answer(missing);
    expect(asked()).toEqual(['answered detail']);
    const other = followed({ hasJobsApi: true });
    other.job.onConnectionState(open);
    await other.clock.advance(3_700);
    other.job.poll();
    await other.answer(missing);
    expect(other.asked()).toEqual(['answered detail', 'status']);
  });

  it('was seen when it was last heard of or answered for, from the first millisecond on', async () => {
    const { job, clock } = followed({ wasSeen: false });
    expect(job.seenAt).toBe(-Infinity);
    job.next(preview);
    expect(job.seenAt).toBe(0);
    await clock.advance(7);
    job.next(preview);
    expect(job.seenAt).toBe(7);
    expect(followed().job.seenAt).toBe(0);
  });

  it('has begun where its phase says so or any frame of it came', () => {
    const { job } = followed();
    expect(job.hasBegun).toBe(false);
    job.next(preview);
    expect(job.hasBegun).toBe(true);
    expect(followed({ initial: { phase: 'in_progress' } }).job.hasBegun).toBe(true);
  });

  it('has no ends before one was reported, then each of them', () => {
    const { job } = followed();
    expect(() => job.ends).toThrow('the job has not ended');
    job.next(success);
    job.next(event('execution_interrupted', { timestamp: 3 }));
    expect(job.ends.map(({ phase }) => phase)).toEqual(['completed', 'cancelled']);
  });

  it.each([1, 2])('F18: is heard whole where one socket, open at %d, brought start and end', (openedAt) => {
    const whole = (frames: readonly (Frame | 'elsewhere' | 'reconnect')[]): boolean => {
      const { job, source } = followed({ openedAt });
      for (const frame of frames) {
        if (frame === 'elsewhere') job.onSocketReplaced();
        else if (frame === 'reconnect') source.openedAt += 10;
        else job.next(frame);
      }
      return job.gapless;
    };
    expect(whole([start, success])).toBe(true);
    for (const frames of [
      [],
      [start],
      [success],
      [start, 'reconnect', success],
      ['elsewhere'],
      [start, 'elsewhere'],
      [start, 'elsewhere', success],
      [start, success, 'elsewhere', start],
    ] as const)
      expect(whole(frames)).toBe(false);
  });

  it.each([
    ['ran without telling', [executing('1')], true],
    ['one of two was cached', [cached, executing('2')], true],
    ['the only one was cached', [cached], false],
    ['both were cached', [cached, event('execution_cached', { nodes: ['2'], timestamp: 1 })], false],
    ['the only one was cached and told', [cached, event('executed', { node: '1', output: {} })], true],
  ])('F18: is heard whole unless its nodes were cached and told nothing: %s', (_, frames, isWhole) => {
    const { job } = followed();
    for (const frame of [start, ...frames, success]) job.next(frame);
    expect(job.gapless).toBe(isWhole);
  });

  it('is on the same server while the socket is open that was when it was last reported', () => {
    const { job, source } = followed();
    expect(job.isOnSameServer).toBe(true);
    source.openedAt = 1;
    expect(job.isOnSameServer).toBe(false);
    source.openedAt = 0;
    source.states.next({ _tag: 'waiting', attempt: 1, delayMs: 1, reason: 'x' });
    expect(job.isOnSameServer).toBe(false);
  });

  it('F33: is polled at once where no source has reported where it stands, though it is known', async () => {
    for (const awaitingFirstReport of [true, false]) {
      const { job, asked, clock } = followed({ awaitingFirstReport });
      job.onConnectionState(open);
      await clock.advance(0);
      expect(asked()).toEqual(awaitingFirstReport ? ['status'] : []);
    }
  });

  it('F34: is polled once where the first answer reports where it stands', async () => {
    const { job, asked, answer, clock } = followed({ awaitingFirstReport: true });
    job.onConnectionState(open);
    await clock.advance(0);
    await answer(status('in_progress'));
    await clock.advance(10_000);
    expect(asked()).toEqual(['answered status']);
  });

  describe('that is followed no more', () => {
    it('takes in nothing, sets no timer and asks nothing', async () => {
      let heard = 0;
      const { job, close, asked, clock, left } = followed({ onFrame: () => (heard += 1) });
      close();
      job.onConnectionState(open);
      job.next(executing(null));
      job.cancelled();
      await clock.advance(60_000);
      expect([job.lastFrameAt, job.isCancelled, heard, asked(), clock.pending(), left()]).toEqual([
        -1,
        false,
        0,
        [],
        0,
        1,
      ]);
    });

    it('takes in no frame by which it was left', async () => {
      const { job, close, asked, clock } = followed({ onFrame: () => close() });
      job.next(success);
      await clock.advance(1000);
      expect(asked()).toEqual([]);
    });

    it('gives its turn up that has not come', async () => {
      const { job, desk, close, asked, clock } = followed();
      for (let taken = 0; taken < 2; taken += 1) desk.limiter.permitsFor('status').subscribe();
      job.poll();
      close();
      await clock.advance(1000);
      expect(asked()).toEqual([]);
    });

    it('asks history for it no more', async () => {
      const { job, close, answer, asked, clock } = followed();
      job.poll();
      close();
      await answer(missing);
      await clock.advance(1000);
      expect(asked()).toEqual(['answered status']);
    });

    it('reads its record no more', async () => {
      const { job, close, answer, asked, clock } = followed();
      job.next(success);
      await clock.advance(0);
      expect(asked()).toEqual(['history']);
      close();
      await answer(missing);
      await clock.advance(120_000);
      expect(asked()).toEqual(['answered history']);
      expect(clock.pending()).toBe(0);
    });
  });

  it('is asked for once at a time', async () => {
    const { job, asked, answer, clock } = followed();
    job.poll();
    job.poll();
    await clock.advance(1000);
    job.poll();
    await clock.advance(1000);
    expect(asked()).toEqual(['status']);
    await answer(status('pending'));
    job.poll();
    await clock.advance(1000);
    expect(asked()).toEqual(['answered status', 'status']);
  });

  it('F35: is not gone where its end was reported while REST was asked for it', async () => {
    const { job, answer, phases, states, clock } = followed({ dialect: 'local' });
    job.cancelled();
    job.next(success);
    await answer(missing);
    await clock.advance(1000);
    expect(phases()).not.toContain('cancelled');
    await answer(record({ phase: 'completed', isFinal: true, outputs }));
    await clock.advance(1000);
    expect(states.at(-1)).toMatchObject({ phase: 'completed' });
  });

  it('errors where it was being asked for as it ended only if the client is closed', async () => {
    for (const [error, count] of [
      [serviceError('InvalidConfig', { option: 'x' }), 0],
      [serviceError('Closed', {}), 1],
    ] as const) {
      const { job, answer, errors } = followed();
      job.poll();
      job.next(success);
      await answer(error);
      expect(errors).toHaveLength(count);
    }
  });

  it('errors where its record is read in the wrong dialect', async () => {
    const { job, answer, errors, clock } = followed();
    job.next(success);
    await clock.advance(0);
    const wrong = serviceError('InvalidConfig', { option: 'dialect' });
    await answer(wrong);
    expect(errors).toEqual([wrong]);
  });

  it('errors with what goes wrong as its record is read', async () => {
    const { job, desk, errors, clock } = followed();
    const fault = new Error('a fault of ours');
    Object.assign(desk.rest, { history: () => () => Promise.reject(fault) });
    job.next(success);
    await clock.advance(0);
    expect(errors).toEqual([fault]);
  });

  it.each([
    ['another error', serviceError('ProtocolChanged', {})],
    ['the end of the client that names a job', serviceError('Closed', { promptId: 'other' })],
    ['what is no error of the service', { _tag: 'Closed' }],
  ])('errors with %s as it is', (_, error) => {
    const { job, errors } = followed();
    job.fail(error);
    expect(errors[0]).toBe(error);
  });

  it('names itself in the end of the client', () => {
    const { job, errors } = followed();
    job.fail(serviceError('Closed', {}));
    expect(errors).toMatchObject([{ _tag: 'Closed', promptId }]);
  });

  describe('B2: reports that REST was ahead of the socket', () => {
    const asked = async (
      told: readonly (Frame | JobPhase)[],
      options: Parameters<typeof followed>[0] = {},
    ) => {
      const it = followed(options);
      it.job.onConnectionState(open);
      for (const one of told) {
        if (typeof one === 'object') it.job.next(one);
        else {
          it.job.poll();
          await it.clock.advance(1000);
          await it.answer(status(one));
        }
      }
      return it.missed();
    };

    it('where it reports that the job began, once', async () => {
      expect(await asked(['in_progress'])).toBe(1);
      expect(await asked(['in_progress', 'in_progress'])).toBe(1);
      expect(await asked(['pending'])).toBe(0);
    });

    it('unless the socket has brought any frame of the job, from its first millisecond on', async () => {
      expect(await asked([preview, 'in_progress'])).toBe(0);
    });

    it('where it reports the end, unless the job was cancelled', async () => {
      expect(await asked(['completed'])).toBe(1);
      expect(await asked(['cancelled'])).toBe(0);
    });

    it('not of a job that the service had not reported before the socket opened', async () => {
      expect(await asked(['completed'], { openedAt: 1 })).toBe(0);
      expect(await asked(['completed'], { wasSeen: false })).toBe(0);
    });

    it('not once the end was reported', async () => {
      const { job, answer, missed } = followed();
      job.onConnectionState(open);
      job.poll();
      job.next(success);
      await answer(status('completed'));
      expect(missed()).toBe(0);
    });
  });

  it('reads its record once, however many ends are reported', async () => {
    const { job, asked, clock } = followed();
    for (const frame of [success, success, success]) job.next(frame);
    await clock.advance(1000);
    expect(asked()).toEqual(['history']);
  });

  it('F16: brings at once what the record lists by which its end became known', async () => {
    const { job, answer, states, clock } = followed();
    job.poll();
    await answer(missing);
    await answer(record({ phase: 'completed', outputs }));
    await clock.advance(1000);
    expect(states).toMatchObject([{ phase: 'in_progress', outputs }]);
  });

  it('emits nothing where nothing is new', async () => {
    const { job, answer, states } = followed();
    job.poll();
    await answer(status('pending'));
    job.next(preview);
    expect(states).toEqual([]);
    job.next(cached);
    job.next(cached);
    expect(states).toHaveLength(1);
  });

  describe('F33: of which nothing is known', () => {
    const quiet = () => followed({ awaitingFirstReport: true });

    it('emits the first thing that a source reports, and that once', async () => {
      const { job, answer, states, clock } = quiet();
      job.next(preview);
      expect(states).toEqual([]);
      job.poll();
      await answer(status('pending'));
      expect(states).toMatchObject([{ phase: 'pending' }]);
      job.poll();
      await clock.advance(1000);
      await answer(status('pending'));
      expect(states).toHaveLength(1);
    });

    it('emits what a record reports that is no end', async () => {
      const { job, answer, states } = quiet();
      job.poll();
      await answer(missing);
      await answer(record({}));
      expect(states).toMatchObject([{ phase: 'pending' }]);
    });

    it('emits no phase before its end where that is the first that is reported', async () => {
      const { job, answer, phases, clock } = quiet();
      job.poll();
      await answer(missing);
      await answer(record({ phase: 'completed', outputs }));
      await clock.advance(1000);
      await answer(record({ phase: 'completed', isFinal: true, outputs, record: { status: {} } }));
      await clock.advance(60_000);
      expect(phases()).toEqual(['completed']);
    });
  });
});
