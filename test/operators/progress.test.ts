import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { runs } from '../helpers/runs.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobPhase, JobState, NodeState } from '../../src/core/state/job-state.js';
import { marbles } from '../helpers/marbles.js';
import { type OperatorFunction, Subject, VirtualTimeScheduler, filter } from 'rxjs';
import type { DownloadState } from '../../src/core/files/download-state.js';
import { progress, type Progress } from '../../src/core/operators/progress.js';
import { record } from '../helpers/record.js';
import type { ProgressStage } from '../../src/core/estimate/stage-of.js';

const initial = initialJobState({ promptId: 'a' });

const at = (reached: number, phase: JobPhase = 'in_progress'): JobState => ({
  ...initial,
  phase,
  progress: reached,
});

interface Rest {
  readonly timeLeftMs?: number;
  readonly timeLeftMaxMs?: number;
  readonly nodes?: Progress['nodes'];
}

const is = (value: number, stage: ProgressStage = 'running', rest: Rest = {}): Progress => ({
  value,
  stage,
  nodes: initial.nodes,
  ...rest,
});

const ended = { timeLeftMs: 0 };

/** The time left of a job that is only followed may be half as long again, and more. */
const left = (ms: number): Rest => ({ timeLeftMs: ms, timeLeftMaxMs: ms * 1.75 });

describe('progress', () => {
  it('emits the overall value, and nothing where it would repeat itself', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const states = { a: at(0), b: at(0.25), c: at(0.5) };
      const source = hot(' -a-a-b-b-c-|', states);
      const subs = '       ^----------!';
      expectObservable(source.pipe(progress({ periodMs: Infinity }))).toBe('-a---b-c-d-|', {
        a: is(0),
        b: is(0.25, 'running', { timeLeftMs: 12, timeLeftMaxMs: 21 }),
        c: is(0.25, 'running', { timeLeftMs: 18, timeLeftMaxMs: 32 }),
        d: is(0.5, 'running', { timeLeftMs: 8, timeLeftMaxMs: 14 }),
      });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('never goes back', () => {
    marbles(({ hot, expectObservable }) => {
      const states = { a: at(0.5), b: at(0.25), c: at(0.75), x: at(0.6, 'failed') };
      const source = hot(' -a-b-c-(x|)', states);
      const expected = '   -a---c-(x|)';
      expectObservable(source.pipe(progress())).toBe(expected, {
        a: is(0.5),
        c: is(0.75, 'running', { timeLeftMs: 4, timeLeftMaxMs: 7 }),
        x: is(0.75, 'ended', ended),
      });
    });
  });

  it('law: whatever the states, the value never decreases, and is 1 only where the job has completed', () => {
    const states = fc.array(
      fc.record({ ms: fc.nat(5_000), reached: fc.double({ min: 0, max: 0.99, noNaN: true }) }),
      { minLength: 1, maxLength: 20 },
    );
    const ends = fc.constantFrom('completed', 'failed', 'cancelled', 'untraceable');
    fc.assert(
      fc.property(states, ends, (all, phase) => {
        const scheduler = new VirtualTimeScheduler();
        const source = new Subject<JobState>();
        const { values } = record(source.pipe(progress({ scheduler, periodMs: 400 })));
        const last = all.reduce((passed, { ms, reached }) => {
          scheduler.schedule(() => source.next(at(reached)), passed + ms);
          return passed + ms;
        }, 0);
        scheduler.schedule(() => source.next(at(phase === 'completed' ? 1 : 0.5, phase)), last + 1);
        scheduler.schedule(() => source.complete(), last + 2);
        scheduler.flush();
        expect(values.map(({ value }) => value)).toEqual(
          values.map(({ value }) => value).sort((a, b) => a - b),
        );
        expect(values.slice(0, -1).filter(({ value }) => value >= 1)).toEqual([]);
        expect(values.at(-1)!.value === 1).toBe(phase === 'completed');
      }),
      { numRuns: runs(100) },
    );
  });

  it('estimates the time left of a followed job once a tenth was seen, and has 0 at the end', () => {
    marbles(({ hot, expectObservable }) => {
      const states = { a: at(0), b: at(0.05), c: at(0.2), x: at(1, 'completed') };
      const source = hot('                             a 399ms b 399ms c 399ms (x|)', states);
      expectObservable(source.pipe(progress({ periodMs: 5_000 }))).toBe('a 399ms b 399ms c 399ms (x|)', {
        a: is(0),
        b: is(0.05),
        c: is(0.2, 'running', { timeLeftMs: 3200, timeLeftMaxMs: 5600 }),
        x: is(1, 'ended', ended),
      });
    });
  });

  it('counts nodes by what the plan of the job expects, and goes on with the time alone', () => {
    const plan = {
      nodes: [
        { nodeId: '1', ms: 1000, spread: 0.15, kind: 0, loads: true as const },
        { nodeId: '2', ms: 3000, spread: 0.15, kind: 1 },
      ],
    };
    const loading = { ...at(0), plan, nodes: { 1: node('1', 'running') } };
    const running = { ...at(0.5), plan, nodes: { 1: node('1', 'finished'), 2: node('2', 'running') } };
    marbles(({ hot, expectObservable }) => {
      const source = hot('p 9ms s        999ms r 2999ms        (x|)', {
        p: { ...at(0, 'pending'), plan },
        s: loading,
        r: running,
        x: at(1, 'completed'),
      });
      const expected = '  p 9ms s 499ms t 499ms r 999ms u 999ms v 999ms (x|)';
      expectObservable(
        source.pipe(
          progress({ periodMs: 500 }),
          filter(({ value }) => [0, 0.125, 0.25, 0.5, 0.75, 1].includes(value)),
        ),
      ).toBe(expected, {
        p: is(0, 'waiting'),
        s: { ...is(0, 'loading'), nodes: loading.nodes },
        t: { ...is(0.125, 'loading', { timeLeftMs: 3500 }), nodes: loading.nodes },
        r: { ...is(0.25, 'running', { timeLeftMs: 3000 }), nodes: running.nodes },
        u: { ...is(0.5, 'running', { timeLeftMs: 2000, timeLeftMaxMs: 2675 }), nodes: running.nodes },
        v: { ...is(0.75, 'running', { timeLeftMs: 1000, timeLeftMaxMs: 1450 }), nodes: running.nodes },
        x: is(1, 'ended', ended),
      });
    });
  });

  it('says how long a job waits by its place and what earlier jobs took', () => {
    const plan = { nodes: [{ nodeId: '1', ms: 4000, spread: 0.15, kind: 0 }], jobMs: 10_000 };
    marbles(({ hot, expectObservable }) => {
      const source = hot('a 1999ms a|', { a: { ...at(0, 'pending'), plan, queue: { position: 2 } } });
      expectObservable(source.pipe(progress({ periodMs: 2_500 }))).toBe('a 1999ms b|', {
        a: is(0, 'waiting', { timeLeftMs: 24_000, timeLeftMaxMs: 40_500 }),
        b: is(0, 'waiting', { timeLeftMs: 22_000, timeLeftMaxMs: 37_000 }),
      });
    });
  });

  it('counts a clock that is set back as standing still', () => {
    const clock = new VirtualTimeScheduler();
    let offset = 10_000;
    clock.now = () => offset;
    const source = new Subject<JobState>();
    const told = record(source.pipe(progress({ scheduler: clock })));
    source.next(at(0));
    offset += 1000;
    source.next(at(0.1));
    offset = 0;
    source.next(at(0.2));
    expect(told.values.map(({ timeLeftMs }) => timeLeftMs)).toEqual([undefined, 9000, 4000]);
  });

  it.each(['failed', 'cancelled', 'untraceable'] as const)(
    'leaves the value of a %s job where it was',
    (phase) => {
      marbles(({ hot, expectObservable }) => {
        const source = hot('-a-(x|)', { a: at(0.5), x: at(0.5, phase) });
        expectObservable(source.pipe(progress())).toBe('-a-(x|)', {
          a: is(0.5),
          x: is(0.5, 'ended', ended),
        });
      });
    },
  );

  it('has the nodes of the state, and emits where only they changed', () => {
    const nodes = { 5: node('5', 'running') };
    marbles(({ hot, expectObservable }) => {
      const source = hot('-a-b-|', { a: at(0), b: { ...at(0), nodes } });
      expectObservable(source.pipe(progress())).toBe('-a-b-|', { a: is(0), b: { ...is(0), nodes } });
    });
  });

  it('goes on with the states of a download, at the value of the job', () => {
    const download = (done: boolean): DownloadState => ({
      done,
      files: [],
      total: 1,
      receivedBytes: 1,
      expectedBytes: 2,
    });
    marbles(({ hot, expectObservable }) => {
      const source = hot<JobState | DownloadState>('a-x-d-e-|', {
        a: at(0),
        x: at(1, 'completed'),
        d: download(false),
        e: download(true),
      });
      expectObservable(source.pipe(progress())).toBe('a-x-d-e-|', {
        a: is(0),
        x: is(1, 'ended', ended),
        d: is(1, 'downloading'),
        e: is(1, 'ended'),
      });
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
      const result = source.pipe(progress({ periodMs: 5_000 }));
      expectObservable(result).toBe('    a 999ms b 999ms d-|', {
        a: is(0.2),
        b: is(0.4, 'running', left(3000)),
        d: is(0.4, 'running', { timeLeftMs: 14_000, timeLeftMaxMs: 24_500 }),
      });
      expectObservable(result, '1500ms ^').toBe('2000ms c-|', { c: is(0.3) });
    });
  });

  it('turns states into progress', () => {
    expectTypeOf(progress()).toEqualTypeOf<OperatorFunction<JobState | DownloadState, Progress>>();
  });
});

const node = (nodeId: string, phase: NodeState['phase']): NodeState => ({
  nodeId,
  displayNodeId: nodeId,
  phase,
  value: 0,
  max: 0,
  fraction: phase === 'running' ? 0 : 1,
});
