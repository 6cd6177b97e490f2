import { describe, expect, it } from 'vitest';
import { applyJobEvent } from '../../src/core/events/apply-job-event.js';
import { changesBetween } from '../../src/core/events/changes-between.js';
import type { DurationStore } from '../../src/core/estimate/durations.js';
import { endedAs } from '../../src/core/state/ended-as.js';
import { initialJobState, nodesToRun } from '../../src/core/state/initial-job-state.js';
import { isTerminal, type JobState } from '../../src/core/state/job-state.js';
import type { JobInput } from '../../src/core/state/job-input.js';
import { jobDurations } from '../../src/client/jobs/job-durations.js';
import { lazyDurations } from '../../src/client/jobs/lazy-durations.js';
import { stepJobState } from '../../src/core/state/step-job-state.js';

const workflow = {
  1: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'm' } },
  2: { class_type: 'KSampler', inputs: { model: ['1', 0], steps: 4 } },
  3: { class_type: 'SaveImage', inputs: { images: ['2', 0] } },
};

const event = (type: string, data: object = {}): JobInput =>
  ({ _tag: 'Event', promptId: 'p', type, data }) as never;

/** What the job tells, and how long after what came before. */
const told: readonly (readonly [afterMs: number, input: JobInput])[] = [
  [5_000, event('execution_start')],
  [0, event('executing', { node: '1' })],
  [3_000, event('executing', { node: '2' })],
  [2_500, event('progress', { node: '2', value: 1, max: 4 })],
  [500, event('progress', { node: '2', value: 2, max: 4 })],
  [500, event('progress', { node: '2', value: 3, max: 4 })],
  [500, event('progress', { node: '2', value: 4, max: 4 })],
  [0, event('executing', { node: '3' })],
  [300, event('executed', { node: '3', output: null })],
  [0, event('execution_success')],
];

const opened = (store?: DurationStore) => {
  let now = 0;
  const durations = jobDurations(
    { clock: { now: () => now, wall: () => 0, after: () => () => undefined } },
    store,
  );
  const play = (inputs = told): readonly JobState[] => {
    const { plan, onState } = durations.plan(workflow, nodesToRun(workflow))!;
    const states: JobState[] = [{ ...initialJobState({ promptId: 'p', workflow }), plan }];
    onState(states[0]!);
    for (const [afterMs, input] of inputs) {
      now += afterMs;
      const next = stepJobState(states.at(-1)!, input);
      if (next === states.at(-1)) continue;
      states.push(next);
      onState(next);
    }
    return states;
  };
  const expected = () => {
    const { plan } = durations.plan(workflow, nodesToRun(workflow))!;
    return { jobMs: plan.jobMs, ...Object.fromEntries(plan.nodes.map(({ nodeId, ms }) => [nodeId, ms])) };
  };
  const planned = (id: string) =>
    durations.plan(workflow, nodesToRun(workflow))!.plan.nodes.find(({ nodeId }) => nodeId === id);
  return { durations, play, expected, planned };
};

describe('jobDurations', () => {
  it('plans the next job by what this one took: its steps without what it loaded before, its run without its wait', () => {
    const { play, expected } = opened();
    play();
    expect(expected()).toEqual({ jobMs: 7_300, 1: 1_000, 2: 2_000, 3: 300 });
    play();
    // What a node loads before its first step counts from the second time on.
    expect(expected()).toEqual({ jobMs: 7_300, 1: 3_000, 2: 3_000, 3: 300 });
  });

  it('learns of a node that counts its steps anew what it took as a whole, and how often it did', () => {
    const { play, expected, planned } = opened();
    const [end, next] = [told.slice(0, 7), told.slice(7)];
    const again = [1, 2, 3, 4].map(
      (value) => [500, event('progress', { node: '2', value, max: 4 })] as const,
    );
    play([...end, ...again, ...next]);
    expect(expected()).toMatchObject({ 2: 4_000 });
    expect(planned('2')).toMatchObject({ passes: 2 });
  });

  it('knows the sizes of pictures that were uploaded', () => {
    const { durations } = opened();
    const head = Uint8Array.of(
      137,
      80,
      78,
      71,
      ...Array.from({ length: 13 }, () => 0),
      0,
      16,
      0,
      0,
      0,
      16,
      0,
      0,
      0,
    );
    const enlarging = {
      1: { class_type: 'LoadImage', inputs: { image: 'a.png' } },
      2: { class_type: 'ImageUpscaleWithModel', inputs: { image: ['1', 0] } },
    };
    const ms = () => durations.plan(enlarging, ['1', '2'])!.plan.nodes[0]!.ms;
    const unknown = ms();
    durations.uploaded('a.png', head);
    expect(ms()).toBe(Math.round((unknown * 4096 * 4096) / 1e6));
    // Another file of the same name, which is none that it can read.
    durations.uploaded('a.png', new Uint8Array(0));
    expect(ms()).toBe(unknown);
  });

  it('learns nothing of nodes that were cached, or whose start it missed', () => {
    const { play, expected } = opened();
    const guessed = expected();
    play([
      [0, event('execution_cached', { nodes: ['1', '2'] })],
      [9_000, event('executed', { node: '3', output: null })],
      [0, event('execution_error', { exception_type: 'OOMError' })],
    ]);
    expect(expected()).toEqual(guessed);
  });

  it('reads what an earlier client wrote, and writes when a job has ended', async () => {
    const texts: string[] = [];
    const one = opened({ read: () => undefined, write: (text) => texts.push(text) });
    one.play();
    await Promise.resolve();
    await Promise.resolve();
    expect(texts).toHaveLength(1);
    const other = opened({ read: () => Promise.resolve(texts[0]), write: () => undefined });
    await Promise.resolve();
    await Promise.resolve();
    expect(other.expected()).toEqual(one.expected());
  });

  it('goes on without a store that fails', async () => {
    const fail = (): never => {
      throw new Error('full');
    };
    const { play, expected } = opened({ read: fail, write: fail });
    play();
    await Promise.resolve();
    await Promise.resolve();
    expect(expected()).toMatchObject({ jobMs: 7_300 });
    opened({ read: () => Promise.reject(new Error('away')), write: fail }).play();
    await Promise.resolve();
  });

  it('is loaded after the client of a page: a job has no plan until then', async () => {
    const clock = { now: () => 0, wall: () => 0, after: () => () => undefined };
    const durations = lazyDurations({ clock }, undefined);
    durations.uploaded('a.png', new Uint8Array(0));
    expect(durations.plan(workflow, ['1'])).toBeUndefined();
    await import('../../src/client/jobs/job-durations.js');
    await Promise.resolve();
    expect(durations.plan(workflow, ['1'])?.plan.nodes).toHaveLength(1);
  });
});

describe('the plan of a job', () => {
  it('comes through the events of a gateway in each state, stands in no event of the log, and goes with the end', () => {
    const states = opened().play();
    let read = initialJobState({ promptId: 'p', workflow });
    for (const [index, state] of states.entries()) {
      const events = changesBetween(states[index - 1] ?? read, state, 0);
      for (const one of events.filter(({ type }) => type !== 'progress'))
        expect(JSON.stringify(one)).not.toContain('"plan"');
      read = events.reduce(applyJobEvent, read);
      expect(read).toEqual(state);
      expect(read.plan === undefined).toBe(isTerminal(read.phase));
    }
    expect(states.at(-1)!.phase).toBe('completed');
    expect(endedAs(states[0]!, 'untraceable').plan).toBeUndefined();
  });
});
