import { describe, expect, expectTypeOf, it } from 'vitest';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobPhase, JobState, NodeState } from '../../src/core/state/job-state.js';
import { marbles } from '../helpers/marbles.js';
import { type OperatorFunction, Subject } from 'rxjs';
import { progress, type Progress } from '../../src/core/operators/progress.js';
import { record } from '../helpers/record.js';

const initial = initialJobState({ promptId: 'a' });

const at = (reached: number, phase: JobPhase = 'in_progress'): JobState => ({
  ...initial,
  phase,
  progress: reached,
});

const is = (value: number, timeLeftMs?: number): Progress => ({
  value,
  nodes: initial.nodes,
  ...(timeLeftMs === undefined ? {} : { timeLeftMs }),
});

describe('progress', () => {
  it('emits the overall value, and nothing where it would repeat itself', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const states = { a: at(0), b: at(0.25), c: at(0.5) };
      const source = hot(' -a-a-b-b-c-|', states);
      const subs = '       ^----------!';
      const expected = '   -a---b---c-|';
      expectObservable(source.pipe(progress())).toBe(expected, { a: is(0), b: is(0.25), c: is(0.5) });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('never goes back', () => {
    marbles(({ hot, expectObservable }) => {
      const states = { a: at(0.5), b: at(0.25), c: at(0.75), x: at(0.6, 'failed') };
      const source = hot(' -a-b-c-(x|)', states);
      const expected = '   -a---c-(x|)';
      expectObservable(source.pipe(progress())).toBe(expected, { a: is(0.5), c: is(0.75), x: is(0.75, 0) });
    });
  });

  it('estimates the time left once there is a pace, and has 0 at the end', () => {
    marbles(({ hot, expectObservable }) => {
      const states = { a: at(0), b: at(0.1), c: at(0.2), d: at(0.3), x: at(1, 'completed') };
      const source = hot('    a 399ms b 399ms c 399ms d 399ms (x|)', states);
      const expected = '      a 399ms b 399ms c 399ms d 399ms (x|)';
      expectObservable(source.pipe(progress())).toBe(expected, {
        a: is(0),
        b: is(0.1), // 400 ms are too short to tell
        c: is(0.2, 3200),
        d: is(0.3, 2800),
        x: is(1, 0),
      });
    });
  });

  it('follows a change of pace', () => {
    let now = 0;
    const source = new Subject<JobState>();
    const told = record(source.pipe(progress({ scheduler: { now: () => now } })));
    const left = (): number | undefined => told.values.at(-1)!.timeLeftMs;
    // Ten percent a second, then one.
    for (const reached of [0, 0.1, 0.2, 0.3, 0.4]) {
      source.next(at(reached));
      now += 1000;
    }
    expect(left()).toBe(6000);
    now += 59_000;
    source.next(at(0.5));
    // The average over the whole run would say 64 s, the last step alone 300 s.
    expect(left()).toBeGreaterThan(200_000);
    expect(left()).toBeLessThan(300_000);
  });

  it('has no time left without progress, nor while the clock stands or runs backwards', () => {
    let now = 10_000;
    const source = new Subject<JobState>();
    const told = record(source.pipe(progress({ scheduler: { now: () => now } })));
    source.next(at(0.1));
    now += 60_000;
    source.next(at(0.1));
    expect(told.values).toEqual([is(0.1)]);

    now = 0;
    source.next(at(0.2));
    source.next(at(0.3));
    expect(told.values.at(-1)!.timeLeftMs).toBeGreaterThanOrEqual(0);
    expect(told.values.at(-1)!.timeLeftMs).toBeLessThan(Number.POSITIVE_INFINITY);
  });

  it('counts a clock that is set back as standing still', () => {
    let now = 10_000;
    const source = new Subject<JobState>();
    const told = record(source.pipe(progress({ scheduler: { now: () => now } })));
    source.next(at(0));
    now += 1000;
    source.next(at(0.1));
    now = 0;
    source.next(at(0.2));
    expect(told.values.map(({ timeLeftMs }) => timeLeftMs)).toEqual([undefined, 9000, 4000]);
  });

  it.each(['failed', 'cancelled', 'untraceable'] as const)(
    'leaves the value of a %s job where it was',
    (phase) => {
      marbles(({ hot, expectObservable }) => {
        const source = hot('-a-(x|)', { a: at(0.5), x: at(0.5, phase) });
        expectObservable(source.pipe(progress())).toBe('-a-(x|)', { a: is(0.5), x: is(0.5, 0) });
      });
    },
  );

  it('has the nodes of the state, and emits where only they changed', () => {
    const node: NodeState = {
      nodeId: '5',
      displayNodeId: '5',
      phase: 'running',
      value: 1,
      max: 4,
      fraction: 0.25,
    };
    const nodes = { '5': node };
    marbles(({ hot, expectObservable }) => {
      const source = hot('-a-b-|', { a: at(0), b: { ...at(0), nodes } });
      expectObservable(source.pipe(progress())).toBe('-a-b-|', { a: is(0), b: { value: 0, nodes } });
    });
  });

  it('passes an error on', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-#', { a: at(0.5) });
      expectObservable(source.pipe(progress())).toBe('-a-#', { a: is(0.5) });
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
  });

  it('unsubscribes from the source with its subscriber', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-a-|', { a: at(0.5) });
      expectObservable(source.pipe(progress()), '--!').toBe('-a-', { a: is(0.5) });
      expectSubscriptions(source.subscriptions).toBe('^-!');
    });
  });

  it('measures anew for each subscription', () => {
    marbles(({ hot, expectObservable }) => {
      const states = { a: at(0.2), b: at(0.4), c: at(0.3) };
      const source = hot('               a 999ms b 999ms c-|', states);
      const result = source.pipe(progress());
      expectObservable(result).toBe('    a 999ms b 999ms d-|', {
        a: is(0.2),
        b: is(0.4, 3000),
        d: is(0.4, expect.any(Number) as number),
      });
      expectObservable(result, '1500ms ^').toBe('2000ms c-|', { c: is(0.3) });
    });
  });

  it('turns states into progress', () => {
    expectTypeOf(progress()).toEqualTypeOf<OperatorFunction<JobState, Progress>>();
  });
});
