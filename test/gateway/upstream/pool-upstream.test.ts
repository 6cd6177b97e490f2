import { BehaviorSubject, lastValueFrom, NEVER, ReplaySubject, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import * as E from '../../../src/core/protocol/either.js';
import type { GatewayPool } from '../../../src/server/gateway/services/gateway-pool.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import type { KeptJob } from '../../../src/server/gateway/upstream/upstream.js';
import { life, workflow } from '../support.js';
import type { PoolJobState } from '../../../src/client/pool/pool-types.js';
import type { PoolStartOptions } from '../../../src/client/pool/start-options.js';
import { poolUpstream } from '../../../src/server/gateway/upstream/pool-upstream.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

/** A pool in memory whose jobs the test moves. */
const pooled = () => {
  const clock = virtualClock();
  const calls: unknown[][] = [];
  const started: {
    readonly workflow: unknown;
    readonly options: PoolStartOptions;
    readonly states: ReplaySubject<PoolJobState>;
    readonly isWaiting: BehaviorSubject<boolean>;
  }[] = [];
  const answer =
    (...words: readonly unknown[]) =>
    () => {
      calls.push([...words]);
      return Promise.resolve(E.right(words[0]));
    };
  const pool = {
    start: (given: unknown, options: PoolStartOptions) => {
      const job = {
        ...{ workflow: given, options, states: new ReplaySubject<PoolJobState>(1) },
        isWaiting: new BehaviorSubject(false),
      };
      started.push(job);
      const id = options.submissionId;
      return {
        ...{ states: job.states, isWaiting: job.isWaiting, frames: NEVER },
        cancel: () => answer('cancel of the job', id),
        withdraw: () => {
          calls.push(['withdraw', id]);
          return true;
        },
      };
    },
    cancel: (id: string) => answer('cancel of the pool', id),
    delete: (id: string, options: unknown) => answer('delete', id, options),
    servers: NEVER,
    viewUpload: () => undefined,
  };
  return { clock, calls, started, upstream: poolUpstream(pool as unknown as GatewayPool, clock) };
};

const at = (state: JobState, attempt = 1): PoolJobState => ({ ...state, server: 'attic', attempt });
const [pending, running] = life('p1') as [JobState, JobState];
const completed = life('p1').at(-1)!;

const placed = (): Promise<void> => Promise.resolve();
const options = { submissionId: 's', owner: 'ann' };
const recordOf = (more: object): KeptJob['record'] => more as KeptJob['record'];

/** A submission whose job the pool has, and its states as the gateway gets them. */
const taken = async () => {
  const one = pooled();
  const submitted = one.upstream.submit(workflow, options)();
  one.started[0]!.states.next(at(pending));
  const answer = await submitted;
  if (E.isLeft(answer)) throw answer.left;
  return { ...one, job: answer.right, states: one.started[0]!.states };
};

describe('a submission to a pool', () => {
  it('is started at once with all that its caller said, by the id of the submission', async () => {
    const { upstream, started } = pooled();
    const files = [{ file: { name: 'a.png', subfolder: '', type: 'input' } }];
    const submit = upstream.submit(workflow, {
      ...{ ...options, extraData: { a: 1 }, partnerKey: 'key', files, placed },
    });
    expect(started.map(({ workflow: of, options: given }) => [of, given])).toEqual([
      [workflow, { submissionId: 's', extraData: { a: 1 }, partnerKey: 'key', files, intend: placed }],
    ]);
    started[0]!.states.next(at(pending));
    expect(await submit()).toMatchObject({ right: { promptId: 's' } });
    expect([upstream.submissionIds, upstream.keepsJobs]).toEqual(['jobs', true]);
    expect(() => upstream.submit(workflow, { owner: 'ann' })).toThrow(
      'A submission of the gateway has an id.',
    );
  });

  it('is accepted once a server has it, once it is known to wait, or after ten seconds', async () => {
    const isTaken = (play: ReturnType<typeof pooled>) => {
      const seen = { is: false };
      void play.upstream
        .submit(workflow, options)()
        .then((answer) => (seen.is = E.isRight(answer)));
      return seen;
    };
    const given = pooled();
    const first = isTaken(given);
    given.started[0]!.states.next(at(initialJobState({ workflow })));
    await given.clock.advance(1);
    expect(first.is).toBe(false);
    given.started[0]!.states.next(at(pending));
    await given.clock.advance(0);
    expect(first.is).toBe(true);
    const waiting = pooled();
    const second = isTaken(waiting);
    await waiting.clock.advance(1);
    expect(second.is).toBe(false);
    waiting.started[0]!.isWaiting.next(true);
    await waiting.clock.advance(0);
    expect(second.is).toBe(true);
    const silent = pooled();
    const third = isTaken(silent);
    await silent.clock.advance(9_999);
    expect(third.is).toBe(false);
    await silent.clock.advance(1);
    expect([third.is, silent.clock.pending()]).toEqual([true, 0]);
  });

  it.each([
    ['QueueFull', serviceError('QueueFull', {}), false],
    ['OutcomeUnknown', serviceError('OutcomeUnknown', { candidates: [], startedAt: 1 }), true],
    ['Closed', serviceError('Closed', {}), true],
    ['a bug', new Error('a bug'), true],
  ])('is refused only where no server can have its job: %s', async (_, error, isTaken) => {
    const { upstream, started } = pooled();
    const submitted = upstream.submit(workflow, options)();
    started[0]!.states.error(error);
    expect(await submitted).toMatchObject(isTaken ? { right: { promptId: 's' } } : { left: error });
  });
});

describe('a job of a pool', () => {
  it('is the one that was started, for as long as it goes on', async () => {
    const { upstream, started, states } = await taken();
    upstream.job('s');
    expect(started).toHaveLength(1);
    states.complete();
    upstream.job('s', workflow);
    expect(started.map(({ options: { submissionId } }) => submissionId)).toEqual(['s', 's']);
    // The end of an earlier one leaves a later one of the same id alone.
    const other = pooled();
    void other.upstream.submit(workflow, options)();
    void other.upstream.submit(workflow, options)();
    other.started[0]!.states.complete();
    other.upstream.job('s');
    expect(other.started).toHaveLength(2);
  });

  it('goes on after a restart with its whole submission, on the server that it was given', () => {
    const { upstream, started } = pooled();
    const place = { server: 'attic', attempt: 2, submissionIds: 'jobs' as const };
    const kept = { workflow: { 1: workflow[1] }, extraData: { a: 1 }, files: [] };
    upstream.job('p', workflow, { placed, record: recordOf({ submissionId: 's', place, kept }) });
    upstream.job('q', workflow, { placed, record: recordOf({ submissionId: 't' }) });
    upstream.job('u');
    expect(started.map(({ workflow: of, options: given }) => [of, given])).toEqual([
      [kept.workflow, { submissionId: 's', extraData: { a: 1 }, files: [], intend: placed, resume: place }],
      [workflow, { submissionId: 't', intend: placed }],
      [{}, { submissionId: 'u' }],
    ]);
    upstream.job('other name', workflow, { placed, record: recordOf({ submissionId: 's' }) });
    expect(started).toHaveLength(3);
  });

  it('is cancelled where it is, or else by the pool', async () => {
    const { upstream, calls, states } = await taken();
    await upstream.cancel('s')();
    states.complete();
    await upstream.cancel('s')();
    expect(calls).toEqual([
      ['cancel of the job', 's'],
      ['cancel of the pool', 's'],
    ]);
  });

  it('is taken back while no server has it, once this process follows it no more', async () => {
    const { job, calls, states } = await taken();
    const followed = job.states.subscribe();
    expect(calls).toEqual([]);
    followed.unsubscribe();
    expect(calls).toEqual([['withdraw', 's']]);
    // Its own end is no reason.
    job.states.subscribe();
    states.complete();
    expect(calls).toHaveLength(1);
  });

  it('is deleted on the server that it was given, by that one’s id of it', async () => {
    const { upstream, calls } = pooled();
    const on = (place?: object) => upstream.delete?.('s', recordOf(place === undefined ? {} : { place }))();
    expect(await on({ server: 'attic', promptId: 'p' })).toEqual(E.right('delete'));
    await on({ server: 'attic' });
    expect(await on()).toEqual(E.right({ record: false, files: 'kept' }));
    expect(await upstream.delete?.('s')()).toEqual(E.right({ record: false, files: 'kept' }));
    expect(calls).toEqual([
      ['delete', 'p', { server: 'attic' }],
      ['delete', 's', { server: 'attic' }],
    ]);
  });
});

describe('the states of a job of a pool', () => {
  it('are those of the job without its server, and say where it was submitted again', async () => {
    const { job, states } = await taken();
    const seen: unknown[] = [];
    job.states.subscribe((state) => seen.push(state));
    states.next(at(running));
    states.next(at(pending, 2));
    states.next(at({ ...running, warnings: ['w'] }, 2));
    states.next(at(pending, 3));
    const again = ['The server of the job has lost it or lacks memory for it: it was submitted again.'];
    expect(seen).toEqual([
      ...[pending, running, { ...pending, isAnew: true, warnings: again }, { ...running, warnings: ['w'] }],
      { ...pending, isAnew: true, warnings: again },
    ]);
  });

  it.each([
    ['failed', serviceError('QueueFull', {}), {}],
    [
      'unknown',
      serviceError('OutcomeUnknown', { candidates: ['c'], startedAt: 7 }),
      { candidates: ['c'], startedAt: 7 },
    ],
  ] as const)('end as %s with what ended it', async (phase, error, more) => {
    const { job, states } = await taken();
    states.next(at(running));
    const seen = lastValueFrom(job.states.pipe(toArray()));
    states.error(error);
    const end = (await seen).at(-1)!;
    expect(end).toMatchObject({
      ...{ phase, promptId: 'p1' },
      failure: { exceptionMessage: error.message, exceptionType: error._tag, ...more },
    });
  });

  it('end so from the beginning where the job never had a state', async () => {
    const { upstream, started } = pooled();
    const seen = lastValueFrom(upstream.job('s').states);
    started[0]!.states.error(serviceError('QueueFull', {}));
    expect(await seen).toMatchObject({ phase: 'failed', promptId: '' });
  });

  it.each([
    ['another process may have it', serviceError('Closed', {}), running],
    ['no server knows it', serviceError('NotFound', {}), running],
    ['it is over', serviceError('QueueFull', {}), completed],
    ['of a bug', new Error('a bug'), running],
  ] as const)('error where %s', async (_, error, last) => {
    const { job, states } = await taken();
    states.next(at(last));
    const errors: unknown[] = [];
    const followed = job.states.subscribe({ error: (one: unknown) => errors.push(one) });
    states.error(error);
    expect([errors, followed.closed]).toEqual([[error], true]);
  });
});
