import { expect, it } from 'vitest';
import { queueControls } from '../../../src/server/queue/jobs/queue-controls.js';
import { virtualClock } from '../../../src/testing.js';

/** A queue whose controls are noted, in their order. */
const world = (kind: 'account' | 'servers' = 'account') => {
  const clock = virtualClock();
  const calls: string[] = [];
  const note =
    (name: string) =>
    (...args: readonly unknown[]) =>
      Promise.resolve(void calls.push([name, ...args.map(String)].join(' ')));
  const state = { waiting: 0 };
  const full = () => ({ waiting: state.waiting, delayed: 0, held: 0, slots: 3, external: 1 });
  const queue = {
    ...{ kind, clock },
    slotTokens: { pause: note('stop'), resume: note('go on'), setLimit: note('limit') },
    queueStore: {
      setPaused: note('paused'),
      setDraining: note('draining'),
      setSlots: note('slots'),
      clear: () => note('clear')().then(() => 4),
      stats: () => Promise.resolve(full()),
    },
    store: { setWeight: note('weight') },
  };
  return { controls: queueControls(() => Promise.resolve(queue as never)), calls, state, clock };
};

it('pauses slot tokens before it says so, and goes on in the opposite order', async () => {
  const { controls, calls } = world();
  await controls.pause();
  await controls.pause('it is cleaned');
  expect(calls.splice(0)).toEqual(['stop', 'paused paused', 'stop', 'paused it is cleaned']);
  await controls.resume();
  expect(calls).toEqual(['draining false', 'paused undefined', 'go on']);
});

it('drains: takes no more jobs, and resolves once none waits and none runs', async () => {
  const { controls, calls, state, clock } = world();
  state.waiting = 1;
  let isOver = false;
  const draining = controls.drain().then(() => (isOver = true));
  await clock.advance(500);
  expect([calls, isOver]).toEqual([['draining true'], false]);
  state.waiting = 0;
  await clock.advance(250);
  await draining;
});

it('tells how full the queue is, under both names of what other programs run', async () => {
  expect(await world().controls.stats()).toMatchObject({ slots: 3, external: 1, foreign: 1 });
});

it('clears, weighs tenants and sets the tier', async () => {
  const { controls, calls } = world();
  expect(await controls.clear()).toBe(4);
  await controls.setWeight('ann', 2);
  await controls.setTier('pro');
  expect(calls).toEqual(['clear', 'weight ann 2', 'slots 5', 'limit 2']);
});

it('refuses a tier that is none, and any over servers', async () => {
  const { controls, calls } = world();
  for (const tier of [0, 1.5, -1, 'gold' as never])
    await expect(controls.setTier(tier)).rejects.toMatchObject({ _tag: 'InvalidConfig', option: 'tier' });
  await expect(world('servers').controls.setTier(2)).rejects.toMatchObject({
    _tag: 'InvalidConfig',
    option: 'tier',
  });
  expect(calls).toEqual([]);
});
