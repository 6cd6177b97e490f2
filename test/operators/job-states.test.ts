import { describe, expect, expectTypeOf, it } from 'vitest';
import { executed, failure, interrupted, malformed, start, step, success } from '../helpers/frames.js';
import { from, type OperatorFunction } from 'rxjs';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { type JobInput, stepJobState } from '../../src/core/state/step-job-state.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { jobStates } from '../../src/core/operators/job-states.js';
import { marbles } from '../helpers/marbles.js';
import { record } from '../helpers/record.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';

const events: Record<string, JobInput> = {
  a: start('a'),
  b: step('a', '5', 5, 20),
  c: step('a', '5', 10, 20),
  o: start('other'),
  m: malformed,
  s: success('a'),
  f: failure('a'),
  i: interrupted('a'),
};

/** The fold, step by step: what the operator is to emit after these events. */
const after = (...keys: readonly string[]): JobState =>
  keys.reduce((state, key) => stepJobState(state, events[key]!), initialJobState({ promptId: 'a' }));

const states: Record<string, JobState> = {
  A: after('a'),
  B: after('a', 'b'),
  C: after('a', 'b', 'c'),
  S: after('a', 'b', 's'),
};

describe('jobStates', () => {
  it('emits the fold after each event that changes it, and completes with the terminal state', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot(' -a-b-s-c-|', events);
      const subs = '       ^----!';
      const expected = '   -A-B-(S|)';
      expectObservable(source.pipe(jobStates({ promptId: 'a' }))).toBe(expected, states);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('emits nothing for what changes nothing: repetitions, other jobs, unreadable frames', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot(' -m-a-a-o-b-b-a-c-|', events);
      const expected = '   ---A-----B-----C-|';
      expectObservable(source.pipe(jobStates({ promptId: 'a' }))).toBe(expected, states);
    });
  });

  it.each([
    ['f', 'failed'],
    ['i', 'cancelled'],
  ])('has the end %s as a value: %s', (end, phase) => {
    const told = record(from([events.a!, events[end]!]).pipe(jobStates({ promptId: 'a' })));
    expect(told.values.map((state) => state.phase)).toEqual(['in_progress', phase]);
    expect(told.end).toBe('complete');
  });

  it('folds REST answers as well as frames', () => {
    const told: readonly JobInput[] = [
      { _tag: 'Accepted', promptId: 'a', nodeErrors: {} },
      executed('a', '9', { images: [] }),
      { _tag: 'StatusRead', promptId: 'a', phase: 'cancelled' },
    ];
    const all = record(from(told).pipe(jobStates())).values;
    expect(all.map(({ promptId, phase }) => [promptId, phase])).toEqual([
      ['a', 'pending'],
      ['a', 'in_progress'],
      ['a', 'cancelled'],
    ]);
  });

  it('knows the number of nodes from the workflow', () => {
    const workflow: Workflow = {
      '5': { class_type: 'KSampler', inputs: {} },
      '9': { class_type: 'SaveImage', inputs: {} },
    };
    const all = record(from([events.a!]).pipe(jobStates({ promptId: 'a', workflow }))).values;
    expect(all.map(({ nodeCount }) => nodeCount)).toEqual([2]);
  });

  it('completes early with its source', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a-|', events).pipe(jobStates({ promptId: 'a' }))).toBe('-A-|', states);
      expectObservable(hot<JobInput>('|').pipe(jobStates())).toBe('|');
    });
  });

  it('passes an error on', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-#', events);
      expectObservable(source.pipe(jobStates({ promptId: 'a' }))).toBe('-A-#', states);
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
  });

  it('unsubscribes from the source with its subscriber', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-b-c-|', events);
      expectObservable(source.pipe(jobStates({ promptId: 'a' })), '--!').toBe('-A-', states);
      expectSubscriptions(source.subscriptions).toBe('^-!');
    });
  });

  it('folds anew for each subscription', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a-b-s|', events);
      const result = source.pipe(jobStates({ promptId: 'a' }));
      expectObservable(result).toBe('            -A-B-(S|)', states);
      expectObservable(result, '-------^').toBe('--------A-B-(S|)', states);
      expectSubscriptions(source.subscriptions).toBe(['^----!', '-------^----!']);
    });
  });

  it('turns events into states', () => {
    expectTypeOf(jobStates()).toEqualTypeOf<OperatorFunction<JobInput, JobState>>();
  });
});
