import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { jobHarness, watch } from '../helpers/job-harness.js';
import { Subject, takeUntil } from 'rxjs';

const lingerMs = 5_000;
const moments = ['at once', 'connecting', 'open', 'waiting'] as const;

/** When a job begins to be followed and when its watcher leaves; `told` is while it is told the first state. */
const plan = fc.record({
  begins: fc.constantFrom(...moments),
  leaves: fc.constantFrom(...moments, 'told', 'end'),
  wasSeen: fc.boolean(),
});
type Plan = typeof plan extends fc.Arbitrary<infer A> ? A : never;

/** Lets jobs begin and be left while the connection's states are told, and gives back what is left when all is over. */
const play = async (plans: readonly Plan[]) => {
  const { context, platform } = jobHarness();
  const jobs = plans.map(({ begins, leaves, wasSeen }, index) => {
    const left = new Subject<void>();
    const initial = initialJobState({ promptId: `p${index}`, phase: 'pending' });
    const follow = () => context.tracker.track({ initial, wasSeen }).pipe(takeUntil(left));
    const begin = () =>
      follow().subscribe({ next: () => leaves === 'told' && left.next(), error: () => undefined });
    return { begins, leaves, left, begin };
  });
  const reach = (moment: string): void => {
    for (const job of jobs) {
      if (job.begins === moment) job.begin();
      if (job.leaves === moment) job.left.next();
    }
  };
  const told = context.source.states.subscribe(({ _tag }) => reach(_tag));
  reach('at once');
  if (platform.sockets.at(-1)?.closedBy() === undefined) platform.sockets.at(-1)?.open();
  if (platform.sockets.at(-1)?.closedBy() === undefined) platform.sockets.at(-1)?.end();
  await platform.clock.advance(1_000);
  for (const { left } of jobs) left.next();
  told.unsubscribe();
  await platform.clock.advance(lingerMs);
  return { states: context.source.states, platform };
};

describe('jobTracker', () => {
  it('I-4: holds nothing once all subscribers have left, at whatever moment they left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 3 }), async (plans) => {
        const { states, platform } = await play(plans);
        expect(platform.sockets.filter((socket) => socket.closedBy() === undefined)).toEqual([]);
        expect(platform.clock.pending()).toBe(0);
        expect(states.observed).toBe(false);
      }),
    );
  });

  it('I-13: opens no socket where the client is closed while it connects', () => {
    const { context, platform, close } = jobHarness();
    context.source.states.subscribe(({ _tag }) => {
      if (_tag === 'connecting') close();
    });
    const initial = initialJobState({ promptId: 'p', phase: 'pending' });
    const { error } = watch(context.tracker.track({ initial, wasSeen: true }));
    expect(error()).toMatchObject({ _tag: 'Closed', promptId: 'p' });
    expect(platform.sockets).toEqual([]);
    expect(platform.clock.pending()).toBe(0);
  });
});
