import { atServer } from '../../../../src/server/queue/worker/servers/at-server.js';
import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { initialJobState } from '../../../../src/core/state/initial-job-state.js';
import type { JobState } from 'promptwire';
import { known, placed, report, saidOf } from './known.js';
import { lastValueFrom, NEVER, of, Subject, toArray } from 'rxjs';
import { refusal } from '../held-world.js';
import type { ServerRules } from '../../../../src/server/queue/policy/rules.js';
import { unknownFailure } from '../../../../src/core/state/failure.js';
import { virtualClock } from '../../../../src/testing.js';

const asked = { shape: 's', models: ['a', 'b'], needs: 'n', guessMs: 7, guessLoadMs: 8, tags: [] };
const gigabytes = (total: number) => ({ memory: { total, free: total } });

/** A job at the server `attic`, beside two others; each call is noted. */
const world = (
  options: {
    readonly reruns?: number;
    readonly rules?: ServerRules;
    readonly ids?: string;
    readonly most?: number;
  } = {},
) => {
  const { reruns, rules = {}, ids = 'jobs', most = 24 } = options;
  const calls: unknown[] = [];
  const ends: unknown[] = [];
  const clock = virtualClock();
  const note = (...call: readonly unknown[]) => Promise.resolve(void calls.push(call));
  const at = atServer({
    placed: placed('x', { job: { work: JSON.stringify(asked), ...(reruns !== undefined && { reruns }) } }),
    client: { submissionIds: ids, connection: NEVER, rest: {} } as never,
    servers: {
      again: (call) => Promise.resolve(calls.push(['again', saidOf(call)]) > 0),
      count: (...call) => note('count', ...call),
      addRun: (run) => note('run', run),
      servers: () =>
        Promise.resolve({
          now: 0,
          servers: new Map(
            [
              known('attic', [report({ ...gigabytes(8), can: { n: '' } })]),
              known('big', [report({ ...gigabytes(most), can: { n: '' } })]),
              known('small', [report({ ...gigabytes(4), can: { n: '' } })]),
            ].map((one) => [one.name, one]),
          ),
        }),
    },
    reached: {
      busy: (...call) => void calls.push(['busy', ...call]),
      isDown: () => NEVER,
      ended: (...call) => void ends.push(call),
    },
    bring: (workflow, server) => Promise.resolve(E.right({ ...workflow, [server]: {} } as never)),
    forgetRefused: (error, workflow, server) =>
      Promise.resolve(void calls.push(['forget', error._tag, workflow, server])).then(() => true),
    rules,
    clock,
  });
  const watched = (...states: readonly JobState[]) =>
    lastValueFrom(at.watch(of(...states), 'p').pipe(toArray()));
  return { at, calls, ends, clock, watched };
};

const state = (phase: JobState['phase'], more: Partial<JobState> = {}): JobState => ({
  ...initialJobState({ workflow: {}, promptId: 'p', phase }),
  ...more,
});
const outOfMemory = state('failed', {
  failure: { ...unknownFailure('CUDA ran out.'), exceptionType: 'torch.OutOfMemoryError' },
});

describe('a job at its server', () => {
  it('tells where it is, and which attempt that is', () => {
    expect(world().at.place).toEqual({ server: 'attic', attempt: 1 });
    expect(world({ reruns: 2 }).at.place).toEqual({ server: 'attic', attempt: 3 });
  });

  it('has its files brought to that server', async () => {
    expect(await world().at.bring({})).toEqual(E.right({ attic: {} }));
  });

  it('is known to lack the files for want of which that server refused it', async () => {
    const { at, calls } = world();
    expect(await at.forgetRefused(refusal('BadRequest'), { 1: {} } as never)).toBe(true);
    expect(calls).toEqual([['forget', 'BadRequest', { 1: {} }, 'attic']]);
  });

  it('that is refused for the moment gives the server a rest, for as long as that says', async () => {
    const { at, calls } = world();
    await at.refused('later', refusal('RateLimited', 90));
    await at.refused('later', refusal('RateLimited'));
    expect(calls).toEqual([
      ['busy', 'attic', 90],
      ['busy', 'attic', 5_000],
    ]);
  });

  it('that is refused for good goes to the others, with the reason', async () => {
    const { at, calls } = world();
    await at.refused('job', refusal('BadRequest'));
    const why = { _tag: 'refused', reason: 'BadRequest: It is BadRequest.', servers: ['attic'] };
    expect(calls).toEqual([['again', { id: 'x', server: 'attic', by: { fence: 3 }, why }]]);
  });

  it.each([
    ['jobs', {}, true],
    ['unproven', {}, true],
    ['keys', {}, false],
    ['keys', { rerun: 'lost' }, true],
    ['jobs', { rerun: 'never' }, false],
  ] as const)(
    'that was lost by a service of %s with the rules %j is submitted again: %s',
    async (ids, rules, is) => {
      const { at, calls, clock } = world({ ids, rules });
      expect(await at.lost()).toBe(is);
      const warnings = ['The server attic has lost the job: it is submitted again.'];
      const said = { at: clock.wall(), phase: 'submitting', warnings, attempt: 2 };
      const call = { id: 'x', server: 'attic', by: { fence: 3 }, why: { _tag: 'lost' }, ...said };
      expect(calls).toEqual(is ? [['again', call]] : []);
    },
  );
});

describe('the states of a job at its server', () => {
  it('go on as they are, and the run is learned of with its end', async () => {
    const { at, calls, clock } = world();
    const states = new Subject<JobState>();
    const seen = lastValueFrom(at.watch(states, 'p').pipe(toArray()));
    states.next(state('pending'));
    await clock.advance(10);
    states.next(state('in_progress'));
    await clock.advance(20);
    states.next(state('in_progress'));
    await clock.advance(30);
    states.next(state('completed'));
    states.complete();
    expect((await seen).map(({ phase }) => phase)).toEqual([
      'pending',
      'in_progress',
      'in_progress',
      'completed',
    ]);
    const work = { shape: 's', models: ['a', 'b'], guessMs: 7, guessLoadMs: 8 };
    expect(calls).toEqual([
      ['count', 'done', 'attic'],
      ['run', { ...work, server: 'attic', modelsBefore: ['a'], ms: 50 }],
    ]);
  });

  it('teach nothing of a run whose beginning was not seen, that failed, or that was all cached', async () => {
    const late = world();
    await late.watched(state('completed'));
    expect(late.calls).toEqual([['count', 'done', 'attic']]);
    const failed = world();
    await failed.watched(state('in_progress'), state('failed'));
    expect(failed.calls).toEqual([['count', 'failed', 'attic']]);
    const cached = world();
    const nodes = { 1: { phase: 'cached' } } as never;
    await cached.watched(state('in_progress'), state('completed', { nodes }));
    expect(cached.calls).toEqual([['count', 'done', 'attic']]);
    const cancelled = world();
    await cancelled.watched(state('in_progress'), state('cancelled'));
    expect(cancelled.calls).toEqual([]);
  });

  it('tell the server how such work ends there, and nothing of a job that was cancelled', async () => {
    const { ends, watched } = world();
    await watched(state('completed'));
    await watched(outOfMemory);
    await watched(state('cancelled'));
    expect(ends).toEqual([
      ['attic', 's', 'completed'],
      ['attic', 's', 'failed'],
    ]);
  });

  it('error where the server has lost the job, and it may run again', async () => {
    await expect(world().watched(state('untraceable'))).rejects.toMatchObject({
      _tag: 'NotFound',
      promptId: 'p',
    });
    expect(await world({ ids: 'keys' }).watched(state('untraceable'))).toHaveLength(1);
  });

  it('of one that ran out of memory give it to the servers with more, and to no other', async () => {
    const { calls, clock, watched } = world();
    await watched(outOfMemory);
    expect(calls.slice(1)).toEqual([
      [
        'again',
        {
          ...{ id: 'x', server: 'attic', by: { fence: 3 } },
          why: { _tag: 'failed', reason: 'JobFailed: CUDA ran out.', servers: ['attic', 'small'] },
          ...{ at: clock.wall(), phase: 'submitting', attempt: 2 },
          warnings: ['The server attic ran out of memory: one with more tries the job.'],
        },
      ],
    ]);
  });

  it.each([
    ['ran once more before', { reruns: 1 }, outOfMemory],
    ['has no server with more', { most: 8 }, outOfMemory],
    ['failed for another reason', {}, state('failed', { failure: unknownFailure('No.') })],
  ])('end a job that %s', async (_, options, last) => {
    const { calls, watched } = world(options);
    expect(await watched(last)).toEqual([last]);
    expect(calls).toEqual([['count', 'failed', 'attic']]);
  });
});
