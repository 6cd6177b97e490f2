import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/core/estimate/estimate.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { jobClock, type JobTimes } from '../../src/core/estimate/job-times.js';
import type { JobPlan } from '../../src/core/state/job-plan.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { runs } from '../helpers/runs.js';
import { stepJobState } from '../../src/core/state/step-job-state.js';

/** What a drawn job does next: a node begins, makes steps or ends, or time passes. */
interface Step {
  readonly does: 'begins' | 'steps' | 'ends' | 'cached';
  readonly node: number;
  readonly ms: number;
}

const plans: fc.Arbitrary<JobPlan> = fc.record({
  nodes: fc
    .array(
      fc.record({
        nodeId: fc.integer({ min: 0, max: 9 }).map(String),
        ms: fc.integer({ min: 50, max: 100_000 }),
        spread: fc.constantFrom(0.15, 0.4, 0.8, 1),
        kind: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 10 },
    )
    .map((nodes) => [...new Map(nodes.map((node) => [node.nodeId, node])).values()]),
});

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    does: fc.constantFrom('begins', 'steps', 'ends', 'cached'),
    node: fc.integer({ min: 0, max: 9 }),
    ms: fc.integer({ min: 0, max: 50_000 }),
  }),
  { maxLength: 30 },
);

/** A job after these steps, when its events came, and the time. */
const after = (plan: JobPlan | undefined, taken: readonly Step[], slower = 1) => {
  let state: JobState = { ...initialJobState({ promptId: 'a' }), ...(plan && { plan }) };
  const times = jobClock();
  let now = 0;
  const reached = new Map<number, number>();
  const event = (type: string, data: object): void => {
    state = stepJobState(state, { _tag: 'Event', promptId: 'a', type, data } as never);
    times.take(state, now);
  };
  times.take(state, now);
  event('execution_start', {});
  for (const { does, node, ms } of taken) {
    now += ms * slower;
    if (does === 'cached') event('execution_cached', { nodes: [String(node)] });
    if (does === 'ends') event('executed', { node: String(node), output: null });
    if (does === 'begins') event('executing', { node: String(node) });
    if (does === 'steps') {
      const value = (reached.get(node) ?? 0) + 1;
      reached.set(node, value);
      event('progress', { node: String(node), value, max: 20 });
    }
  }
  return { state, times, now };
};

const scaled = (plan: JobPlan, by: number): JobPlan => ({
  nodes: plan.nodes.map((node) => ({ ...node, ms: node.ms * by })),
});

const numRuns = runs(300);

describe('estimate', () => {
  it('law: whatever the events, the value is a share below 1, and no time left is negative or infinite', () => {
    fc.assert(
      fc.property(fc.option(plans, { nil: undefined }), steps, fc.nat(1e6), (plan, taken, laterMs) => {
        const { state, times, now } = after(plan, taken);
        const { value, timeLeftMs = 0, timeLeftMaxMs = Infinity } = estimate(state, times, now + laterMs);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThan(1);
        expect(timeLeftMs).toBeGreaterThanOrEqual(0);
        expect(timeLeftMs).toBeLessThan(Infinity);
        expect(timeLeftMaxMs).toBeGreaterThan(timeLeftMs);
      }),
      { numRuns },
    );
  });

  it('law: however late a job is that shows none of its nodes, a ninth of its bar is left', () => {
    fc.assert(
      fc.property(plans, fc.nat(1e7), (plan, laterMs) => {
        const { state, times, now } = after(plan, []);
        expect(estimate(state, times, now + laterMs).value).toBeLessThan(0.9);
      }),
      { numRuns },
    );
  });

  it('law: before a tenth of the work or two seconds were seen there is no time left', () => {
    fc.assert(
      fc.property(plans, steps, (plan, taken) => {
        const { state, times, now } = after(
          plan,
          taken.map((step) => ({ ...step, ms: step.ms % 60 })),
        );
        const { value, timeLeftMs } = estimate(state, times, now);
        if (now < 2_000 && value < 0.1) expect(timeLeftMs).toBeUndefined();
        else expect(timeLeftMs).toBeDefined();
      }),
      { numRuns },
    );
  });

  it('law: another node that has not begun makes no time left shorter and no value larger', () => {
    fc.assert(
      fc.property(plans, steps, fc.integer({ min: 100, max: 100_000 }), (plan, taken, ms) => {
        const more = { nodes: [...plan.nodes, { nodeId: 'more', ms, spread: 0.15, kind: 99 }] };
        const [one, other] = [after(plan, taken), after(more, taken)];
        const [less, longer] = [
          estimate(one.state, one.times, one.now + 2_000),
          estimate(other.state, other.times, other.now + 2_000),
        ];
        expect(longer.timeLeftMs!).toBeGreaterThanOrEqual(less.timeLeftMs!);
        if (one.times.nodes.size > 0)
          expect(longer.timeLeftMs! - less.timeLeftMs!).toBeGreaterThanOrEqual(ms - 1);
        expect(longer.value).toBeLessThanOrEqual(less.value);
      }),
      { numRuns },
    );
  });

  it('law: a machine twice as slow whose durations are known doubles the time left and keeps the value', () => {
    fc.assert(
      fc.property(plans, steps, (plan, taken) => {
        const known = { nodes: plan.nodes.map((node) => ({ ...node, spread: 0.15 })) };
        const [one, other] = [after(known, taken), after(scaled(known, 2), taken, 2)];
        const [fast, slow] = [
          estimate(one.state, one.times, one.now + 2_000),
          estimate(other.state, other.times, other.now + 4_000),
        ];
        expect(slow.value).toBeCloseTo(fast.value, 6);
        expect(Math.abs(slow.timeLeftMs! - 2 * fast.timeLeftMs!)).toBeLessThanOrEqual(2);
      }),
      { numRuns },
    );
  });

  it('expects of a node that counts its steps for each of several parts what it took as a whole', () => {
    const unheard = { nodeId: '1', ms: 120_000, spread: 0.15, kind: 0 };
    const node = { ...unheard, passes: 3 };
    const counted = (from: number, to: number): readonly Step[] =>
      Array.from({ length: to - from }, () => ({ does: 'steps', node: 1, ms: 2_000 }));
    const begun: Step = { does: 'begins', node: 1, ms: 0 };
    const half = after({ nodes: [node] }, [begun, ...counted(0, 10)]);
    // Half of the first of three passes of 40 s.
    expect(estimate(half.state, half.times, half.now).timeLeftMs).toBe(100_000);
    const once = after({ nodes: [node] }, [begun, ...counted(0, 20)]);
    expect(estimate(once.state, once.times, once.now + 30_000).timeLeftMs).toBe(50_000);
    // Whoever knows nothing of it takes a node that goes on after its last step to begin again.
    const next = after({ nodes: [unheard] }, [begun, ...counted(0, 20)]);
    expect(estimate(next.state, next.times, next.now + 1_000).timeLeftMs).toBe(0);
    expect(estimate(next.state, next.times, next.now + 10_000).timeLeftMs).toBe(30_000);
  });

  it('counts no cached node, and no node of the plan that has finished', () => {
    const plan = {
      nodes: ['1', '2', '3'].map((nodeId, kind) => ({ nodeId, ms: 4_000, spread: 0.15, kind })),
    };
    const { state, times } = after(plan, [
      { does: 'cached', node: 1, ms: 0 },
      { does: 'begins', node: 2, ms: 0 },
      { does: 'begins', node: 3, ms: 4_000 },
    ]);
    expect(estimate(state, times, 4_000)).toEqual({ value: 0.5, timeLeftMs: 4_000 });
  });

  it('expects of nodes of one class what one of them took', () => {
    const plan = { nodes: ['1', '2'].map((nodeId) => ({ nodeId, ms: 1_000, spread: 0.8, kind: 0 })) };
    const { state, times } = after(plan, [
      { does: 'begins', node: 1, ms: 0 },
      { does: 'begins', node: 2, ms: 6_000 },
    ]);
    expect(estimate(state, times, 6_000)).toMatchObject({ value: 0.5, timeLeftMs: 6_000 });
  });

  it('measures a node by its own steps, and not by what it loads before the first', () => {
    const plan = { nodes: [{ nodeId: '1', ms: 1_000, spread: 0.8, kind: 0, steps: 20 }] };
    const first: readonly Step[] = [
      { does: 'begins', node: 1, ms: 0 },
      { does: 'steps', node: 1, ms: 30_000 },
    ];
    const nineMore = Array.from({ length: 9 }, (): Step => ({ does: 'steps', node: 1, ms: 2_000 }));
    const { state, times, now } = after(plan, [...first, ...nineMore]);
    const { timeLeftMs } = estimate(state, times, now);
    // Ten steps of 2 s are left; a tenth of the trust is in the plan.
    expect(timeLeftMs).toBeGreaterThan(17_500);
    expect(timeLeftMs).toBeLessThanOrEqual(20_000);
  });

  it('takes the first step of a guessed node, with what it loaded, for the longest that a step may be', () => {
    const plan = { nodes: [{ nodeId: '1', ms: 1_000, spread: 0.8, kind: 0 }] };
    const { state, times, now } = after(plan, [
      { does: 'begins', node: 1, ms: 0 },
      { does: 'steps', node: 1, ms: 5_000 },
    ]);
    const { timeLeftMs } = estimate(state, times, now);
    expect(timeLeftMs).toBeGreaterThan(19 * 50);
    expect(timeLeftMs).toBeLessThan(19 * 5_000);
  });

  it('scales durations that depend on a picture of unknown size by the first of them', () => {
    const plan = {
      nodes: ['1', '2'].map((nodeId, kind) => ({
        nodeId,
        ms: 8_000,
        spread: 0.6,
        kind,
        unsized: true as const,
      })),
    };
    const { state, times, now } = after(plan, [
      { does: 'begins', node: 1, ms: 0 },
      { does: 'begins', node: 2, ms: 17_000 },
    ]);
    expect(estimate(state, times, now)).toMatchObject({ timeLeftMs: 16_000 });
  });

  it('counts what is too short to be planned by itself by the share of the nodes that are left', () => {
    const { state, times, now } = after({ nodes: [], restMs: 4_000 }, [
      { does: 'begins', node: 1, ms: 3_000 },
    ]);
    expect(estimate({ ...state, progress: 0.25 }, times, now)).toMatchObject({
      timeLeftMs: 3_000,
      value: 0.5,
    });
  });

  it('expects of short nodes what those took that have ended, but for one that is no usual one', () => {
    const left = (...endedAfterMs: readonly number[]): number => {
      const { state, times, now } = after(
        { nodes: [], restMs: 100 * 40 },
        endedAfterMs.flatMap((ms, node): readonly Step[] => [
          { does: 'begins', node, ms: 0 },
          { does: 'ends', node, ms },
        ]),
      );
      return estimate({ ...state, nodeCount: 40 }, times, now + 2_000).timeLeftMs!;
    };
    const ten = (ms: number): readonly number[] => Array.from({ length: 10 }, () => ms);
    expect(left(...ten(100))).toBe(3_000);
    // The plan counts as much as ten of them.
    expect(left(...ten(200))).toBe(4_500);
    expect(left(...ten(300))).toBe(left(...ten(50_000)));
  });

  it('takes the time of texts for a sign of what guessed nodes after them will take', () => {
    const left = (textMs: number): number => {
      const nodes = [
        { nodeId: '1', ms: 100, spread: 0.8, kind: 0, texts: true as const },
        { nodeId: '2', ms: 10_000, spread: 0.8, kind: 1 },
        { nodeId: '3', ms: 5_000, spread: 0.15, kind: 2 },
      ];
      const { state, times, now } = after({ nodes }, [
        { does: 'begins', node: 1, ms: 0 },
        { does: 'ends', node: 1, ms: textMs },
      ]);
      return estimate(state, times, now + 2_000).timeLeftMs!;
    };
    expect([left(100), left(400), left(25)]).toEqual([15_000, 25_000, 10_000]);
  });

  it('adds what a sampler loads before its first step', () => {
    const plan = { nodes: [{ nodeId: '1', ms: 10_000, spread: 0.15, kind: 0, steps: 10, leadMs: 3_000 }] };
    const { state, times } = after(plan, [{ does: 'begins', node: 1, ms: 0 }]);
    const leftAt = (now: number) => estimate(state, times, now).timeLeftMs;
    // While it loads, no more than one step is done after that.
    expect([2_000, 3_500, 9_000].map(leftAt)).toEqual([11_000, 9_500, 9_000]);
  });

  it('goes by the passing time where the service shows no node', () => {
    const plan = { nodes: [{ nodeId: '1', ms: 10_000, spread: 0.4, kind: 0 }] };
    const { state, times } = after(plan, []);
    expect(estimate(state, times, 5_000)).toMatchObject({ value: 0.5, timeLeftMs: 5_000 });
    // The longer it is late, the longer it will go on.
    expect(estimate(state, times, 50_000).timeLeftMs).toBe(50_000 / 8);
  });

  it('says nothing of a job that waits where neither its place nor an earlier job is known', () => {
    const times: JobTimes = jobClock();
    const waiting: JobState = initialJobState({ promptId: 'a' });
    expect(estimate(waiting, times, 0)).toEqual({ value: 0 });
    expect(estimate({ ...waiting, queue: { position: 3 } }, times, 0)).toEqual({ value: 0 });
  });
});
