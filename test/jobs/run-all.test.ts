import { concat, NEVER, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type IndexedJobState, jobsAtOnce, runAll } from '../../src/client/jobs/run-all.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { openWork } from '../../src/client/jobs/job-context.js';
import { record } from '../helpers/record.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { TestScheduler } from 'rxjs/testing';
import type { Workflow } from '../../src/core/protocol/workflow.js';

const workflows: readonly Workflow[] = ['a', 'b', 'c'].map((name) => ({
  [name]: { class_type: name, inputs: {} },
}));
const nameOf = (workflow: Workflow) => Object.keys(workflow)[0] as 'a' | 'b' | 'c';
const running = (promptId: string): JobState => initialJobState({ promptId, phase: 'in_progress' });
const scheduler = (): TestScheduler =>
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected));

const values = { a: running('a'), b: running('b'), c: running('c') };
const tagged = {
  a: { index: 0, state: values.a },
  b: { index: 1, state: values.b },
  c: { index: 2, state: values.c },
};

describe('runAll', () => {
  it.each([
    { options: { concurrency: 2 }, result: '-ab-c|', a: '^----!', b: '^--!', c: '---^-!' },
    { options: {}, result: '-a-----b-c|', a: '^----!', b: '-----^--!', c: '--------^-!' },
    { options: { tier: 'standard' }, result: '-a-----b-c|', a: '^----!', b: '-----^--!', c: '--------^-!' },
    {
      options: { tier: 'pro', concurrency: 1 },
      result: '-a-----b-c|',
      a: '^----!',
      b: '-----^--!',
      c: '--------^-!',
    },
  ] as const)('runs as many at once as $options says', ({ options, result, ...subscriptions }) => {
    scheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
      const jobs = { a: cold('-a---|', values), b: cold('--b|', values), c: cold('-c|', values) };
      expectObservable(runAll((workflow) => jobs[nameOf(workflow)], openWork(), workflows, options)).toBe(
        result,
        tagged,
      );
      for (const name of ['a', 'b', 'c'] as const) {
        expectSubscriptions(jobs[name].subscriptions).toBe(subscriptions[name]);
      }
    });
  });

  it('goes through thousands that are refused at once, behind one that runs', () => {
    const ending = new Subject<never>();
    const many = Array.from({ length: 5_000 }, () => workflows[0]!);
    const refused = throwError(() => serviceError('InvalidWorkflow', { format: 'unknown' }));
    let asked = 0;
    const told = record(runAll(() => ((asked += 1) === 1 ? ending : refused), openWork(), many, {}));
    ending.complete();
    expect(told.end).toBe('complete');
    expect(told.values.map(({ index }) => index)).toStrictEqual(
      Array.from({ length: 4_999 }, (_, at) => at + 1),
    );
  });

  it.each([
    [{ tier: 'creator' }, 3],
    [{ tier: 'pro' }, 5],
    [{ tier: 'unlimited' }, 8],
    [{ tier: 'free', concurrency: 'unlimited' }, 8],
  ] as const)('has with %o %i of eight jobs in flight', (options, expected) => {
    let inFlight = 0;
    const begin = () => {
      inFlight += 1;
      return NEVER;
    };
    runAll(begin, openWork(), Array<Workflow>(8).fill({}), options).subscribe().unsubscribe();
    expect(inFlight).toBe(expected);
  });

  it.each([
    [{ tier: 'gold' as never }, 'tier'],
    [{ tier: 'toString' as never }, 'tier'],
    [{ concurrency: 0 }, 'concurrency'],
    [{ concurrency: Number.NaN }, 'concurrency'],
  ])('refuses %o and begins nothing', (options, option) => {
    let begun = 0;
    let error: unknown;
    const begin = () => {
      begun += 1;
      return NEVER;
    };
    runAll(begin, openWork(), workflows, options).subscribe({
      error: (problem: unknown) => (error = problem),
    });
    expect(error).toMatchObject({ _tag: 'InvalidConfig', option });
    expect(begun).toBe(0);
  });

  it('knows every tier', () => {
    expect(jobsAtOnce).toEqual({ free: 1, standard: 1, creator: 3, pro: 5, unlimited: Infinity });
  });

  const outcome = (error: ServiceError, last?: JobState): readonly IndexedJobState[] => {
    const seen: IndexedJobState[] = [];
    const failing = concat(
      last === undefined ? [] : of(last),
      throwError(() => error),
    );
    runAll(
      (workflow) => (nameOf(workflow) === 'b' ? failing : of(values[nameOf(workflow)])),
      openWork(),
      workflows,
      {},
    ).subscribe((state) => seen.push(state));
    return seen;
  };

  it('makes a refused submission a failed state of its index, and goes on with the rest', () => {
    const nodeErrors = { 9: { classType: 'SaveImage', dependentOutputs: [], errors: [] } };
    const seen = outcome(serviceError('BadRequest', { nodeErrors, message: 'no good' }));
    expect(seen.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(seen[1]?.state).toMatchObject({
      phase: 'failed',
      failure: { exceptionType: 'BadRequest', exceptionMessage: 'no good', nodeErrors },
    });
  });

  it.each([
    [
      'a submission of unknown outcome unknown',
      serviceError('OutcomeUnknown', { candidates: ['x'], startedAt: 5 }),
      undefined,
      { phase: 'unknown', promptId: '', failure: { candidates: ['x'], startedAt: 5 } },
    ],
    [
      'a job that can no longer be asked for untraceable',
      serviceError('Unauthorized', {}),
      running('b'),
      { phase: 'untraceable', promptId: 'b', failure: {} },
    ],
  ])('I-17: calls %s, not failed', (_, error, last, { failure, ...state }) => {
    const seen = outcome(error, last);
    expect(seen.at(-2)).toMatchObject({
      index: 1,
      state: { ...state, failure: { ...failure, exceptionType: error._tag } },
    });
    expect(seen.at(-1)?.index).toBe(2);
  });

  it.each(['Closed', 'Aborted'] as const)('errors as a whole with %s', (tag) => {
    let error: unknown;
    runAll(() => throwError(() => serviceError(tag, { sent: false })), openWork(), workflows, {}).subscribe({
      error: (problem: unknown) => (error = problem),
    });
    expect(error).toMatchObject({ _tag: tag });
  });
});
