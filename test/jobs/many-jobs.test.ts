import { describe, expect, it } from 'vitest';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { jobHarness, messages, watch } from '../helpers/job-harness.js';
import type { JobStatus } from '../../src/core/endpoints/job-status.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

const running = (promptId: string): JobStatus => ({ promptId, status: 'in_progress', phase: 'in_progress' });

/** Jobs of one client, of which REST says that they run; `asked` are the ids in the order of the questions. */
const following = (count: number) => {
  const asked: string[] = [];
  const harness = jobHarness({
    jobStatus: (promptId) => () => {
      asked.push(promptId);
      return TE.right(running(promptId))();
    },
  });
  const { tracker } = harness.context;
  const follow = (promptId: string, wasSeen = true) =>
    watch(tracker.track({ initial: initialJobState({ promptId, phase: 'pending' }), wasSeen }));
  const jobs = Array.from({ length: count }, (_, index) => follow(`job ${index}`));
  return { ...harness, follow, jobs, asked, clock: harness.platform.clock };
};

describe('jobTracker with many jobs', () => {
  it('holds as many timers and subscriptions for a thousand jobs as for one', () => {
    const [one, thousand] = [following(1), following(1_000)];
    for (const { socket } of [one, thousand]) socket().open();
    expect(thousand.clock.pending()).toBe(one.clock.pending());
    expect(thousand.platform.sockets).toHaveLength(1);
    for (const { stop } of thousand.jobs.slice(1)) stop();
    expect(thousand.clock.pending()).toBe(one.clock.pending());
    expect(thousand.socket().closedBy()).toBeUndefined();
  });

  it('I-6: gives each frame to its job alone', () => {
    const { socket, jobs } = following(100);
    socket().open();
    socket().receive(messages('job 42').start);
    expect(jobs.filter(({ last }) => last().phase === 'in_progress')).toEqual([jobs[42]]);
  });

  it('C17, F13: asks for them at the pace of the shared budget only', async () => {
    const { socket, clock, asked, platform } = following(1_000);
    socket().open();
    socket().end();
    await clock.advance(0);
    expect(asked).toHaveLength(10);
    await clock.advance(10_000);
    expect(asked).toHaveLength(60);
    expect(platform.sockets.length).toBeGreaterThan(1);
  });

  it('asks first for those that have been silent for longest', async () => {
    const { socket, clock, asked } = following(4);
    socket().open();
    for (const index of [2, 0, 3]) {
      await clock.advance(500);
      socket().receive(messages(`job ${index}`).start);
    }
    socket().end();
    await clock.advance(0);
    expect(asked).toEqual(['job 1', 'job 2', 'job 0', 'job 3']);
  });

  it('E13: follows one job for two who began apart, each with what it knows', async () => {
    const { socket, clock, follow, jobs, asked } = following(1);
    socket().open();
    socket().receive(messages('job 0').start);
    const late = follow('job 0', false);
    expect(late.phases()).toEqual(['pending']);
    await clock.advance(0);
    expect(asked).toEqual(['job 0']);
    socket().receive(messages('job 0').executed('9', 'a.png'));
    expect([jobs[0]!, late].map(({ last }) => Object.keys(last().outputs))).toEqual([['9'], ['9']]);
    late.stop();
    socket().receive(messages('job 0').progress('3', 1, 2));
    expect(Object.keys(late.last().nodes)).not.toContain('3');
    expect(Object.keys(jobs[0]!.last().nodes)).toContain('3');
  });

  it('ends all of them with the client, also one that is followed meanwhile', () => {
    const { context, close, clock, jobs } = following(3);
    let late: ReturnType<typeof watch> | undefined;
    const initial = initialJobState({ promptId: 'late', phase: 'pending' });
    context.tracker
      .track({ initial: initialJobState({ promptId: 'first', phase: 'pending' }), wasSeen: true })
      .subscribe({
        error: () => (late = watch(context.tracker.track({ initial, wasSeen: true }))),
      });
    close();
    expect(jobs.map(({ error }) => error())).toMatchObject(
      [0, 1, 2].map((index) => ({ _tag: 'Closed', promptId: `job ${index}` })),
    );
    expect(late?.error()).toMatchObject({ _tag: 'Closed', promptId: 'late' });
    expect(clock.pending()).toBe(0);
  });

  it('I-3: goes on for the others when one is left at a frame', () => {
    const { context, socket, jobs } = following(2);
    socket().open();
    const subscription = context.tracker
      .track({ initial: initialJobState({ promptId: 'job 0', phase: 'pending' }), wasSeen: true })
      .subscribe(({ phase }) => {
        if (phase === 'in_progress') subscription.unsubscribe();
      });
    socket().receive(messages('job 0').start);
    socket().receive(messages('job 0').success);
    expect(subscription.closed).toBe(true);
    expect(jobs[0]!.phases()).toEqual(['pending', 'in_progress']);
  });
});
