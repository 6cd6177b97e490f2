import { describe, expect, it } from 'vitest';
import { of, throwError, NEVER } from 'rxjs';
import { jobStates } from '../../src/core/operators/job-states.js';
import { framesOfMarbles } from '../../src/testing/frames-of-marbles.js';
import { jobFrames } from '../../src/testing/job-frames.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { phaseTimeline } from '../../src/testing/phase-timeline.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const { start, progress, success, error } = jobFrames('p1');
const frames = { s: start, p: progress('3', 1, 2), e: success, f: error() };

/** The diagram of a job's phases, given a diagram of its frames. */
const phasesOf = async (diagram: string): Promise<string> => {
  const clock = virtualClock();
  const source = framesOfMarbles(diagram, frames, { scheduler: clock.scheduler });
  const life = phaseTimeline(source.pipe(jobStates()), clock);
  await clock.advance(3_600_000);
  return life.diagram;
};

describe('marbles of frames', () => {
  it.each([
    ['s 99ms e|', 'in_progress 100ms completed |'],
    ['5ms s 2s p 59999ms f|', '5ms in_progress 62001ms failed |'],
    ['1m (se)', '1m in_progress completed |'],
    ['--s--#', '2ms in_progress 3ms #'],
    ['s--', 'in_progress'],
    ['|', '|'],
  ])('%s is %s', async (diagram, phases) => {
    expect(await phasesOf(diagram)).toBe(phases);
  });

  it('begin with each subscription, and end with it', async () => {
    const clock = virtualClock();
    const source = framesOfMarbles('--s--e|', frames, { scheduler: clock.scheduler });
    await clock.advance(10);
    const seen: number[] = [];
    const subscription = source.subscribe(() => seen.push(clock.now()));
    await clock.advance(3);
    subscription.unsubscribe();
    await clock.advance(10);
    expect(seen).toEqual([12]);
    expect(clock.pending()).toBe(0);
  });

  it('refuse a character without a frame', () => {
    const { scheduler } = virtualClock();
    expect(() => framesOfMarbles('s-x', frames, { scheduler })).toThrow('no frame for "x"');
  });
});

describe('phaseTimeline', () => {
  it('writes down states, phases and the error of the stream', () => {
    const problem = new Error('gone');
    const failed = phaseTimeline(
      throwError(() => problem),
      virtualClock(),
    );
    expect([failed.diagram, failed.error]).toEqual(['#', problem]);
    const state = initialJobState({ promptId: 'p1' });
    const done = phaseTimeline(of(state, state), virtualClock());
    expect(done).toMatchObject({ diagram: 'pending |', phases: ['pending'], states: [state, state] });
  });

  it('lets go of the stream', () => {
    const life = phaseTimeline(NEVER, virtualClock());
    life.subscription.unsubscribe();
    expect([life.diagram, life.subscription.closed]).toEqual(['', true]);
  });
});
