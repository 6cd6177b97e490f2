import { expect, it } from 'vitest';
import { maintain } from '../../../src/server/queue/worker/maintenance.js';
import { restWhileIdle } from '../../../src/server/queue/worker/rest.js';
import { Subject } from 'rxjs';
import { virtualClock } from '../../../src/testing.js';

/** A worker of a queue in memory, which notes what it asks the server for, and what its runners do. */
const world = (
  whileAsked: (notifications: { readonly changed: Subject<string> }) => void = () => undefined,
) => {
  const clock = virtualClock();
  const notifications = {
    changed: new Subject<string>(),
    resumed: new Subject<void>(),
    missed: new Subject<void>(),
  };
  const calls: string[] = [];
  const jobs = { waiting: 0, delayed: 0, held: 0, deliveries: 0 };
  const noted = <A>(call: string, value: A): Promise<A> => {
    calls.push(call);
    return Promise.resolve(value);
  };
  const rest = restWhileIdle(notifications, [
    {
      rest: () => calls.push('rest'),
      wake: () => calls.push('wake'),
      close: () => Promise.resolve(),
      leave: () => undefined,
    },
  ]);
  const queue = {
    clock,
    trouble: { refused: () => undefined },
    slotTokens: {
      setLimit: () => noted('limit', undefined),
      due: () => noted('due', 0),
      addAll: () => noted('turns', undefined),
      deliveries: () => noted('deliveries', jobs.deliveries),
    },
    queueStore: {
      stats: () => {
        whileAsked(notifications);
        return noted('stats', { ...jobs, unknown: 0, ended: 0, external: 0, slots: 3 });
      },
      prune: () => noted('prune', undefined),
      heldTokens: () => noted('held', []),
      overdue: () => noted('overdue', []),
    },
  };
  const keeping = maintain(queue as never, { name: 'q', slots: 3, tellThrown: () => undefined }, rest);
  const stop = (): void => {
    keeping.unsubscribe();
    rest.subscription.unsubscribe();
  };
  return { clock, notifications, calls, jobs, stop };
};

it('Q10 a worker of a queue without jobs rests, and asks for little from then on', async () => {
  const { clock, notifications, calls, stop } = world();
  await clock.advance(0);
  expect(calls.splice(0)).toEqual(['stats', 'limit', 'prune', 'deliveries', 'rest']);
  await clock.advance(60_000);
  // In a minute, where thrice as many in a second would be too many.
  expect(calls.filter((call) => call === 'prune')).toHaveLength(1);
  expect(calls).toHaveLength(6 * 3 + 1);
  stop();
  expect(
    [notifications.changed, notifications.resumed, notifications.missed].some(({ observed }) => observed),
  ).toBe(false);
});

it.each(['changed', 'resumed', 'missed'] as const)('Q10 wakes at once where news come: %s', async (one) => {
  const { clock, notifications, calls, jobs, stop } = world();
  await clock.advance(0);
  calls.splice(0);
  jobs.waiting = 1;
  (notifications[one] as Subject<unknown>).next('x');
  (notifications[one] as Subject<unknown>).next('x');
  expect(calls.splice(0)).toEqual(['wake']);
  await clock.advance(5_000);
  expect(calls.splice(0)).toEqual(['stats', 'limit', 'due', 'turns', 'prune']);
  jobs.waiting = 0;
  await clock.advance(5_000);
  expect(calls.at(-1)).toBe('rest');
  stop();
});

it('Q10 wakes in ten seconds where the news of a job were lost, and does not rest beside what runs or is delivered', async () => {
  const { clock, calls, jobs, stop } = world();
  await clock.advance(0);
  jobs.held = 1;
  await clock.advance(10_000);
  expect(calls).toContain('wake');
  for (const busy of ['held', 'delayed', 'deliveries'] as const) {
    Object.assign(jobs, { held: 0, delayed: 0, deliveries: 0, [busy]: 1 });
    calls.splice(0);
    await clock.advance(20_000);
    expect(calls).not.toContain('rest');
  }
  stop();
});

it('Q10 does not rest where a job comes while it looks', async () => {
  const { clock, calls, stop } = world((notifications) => notifications.changed.next('x'));
  await clock.advance(0);
  expect(calls).toContain('stats');
  expect(calls).not.toContain('rest');
  stop();
});
