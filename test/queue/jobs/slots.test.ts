import { expect, it } from 'vitest';
import { limitTokens, setSlots, slotsOf } from '../../../src/server/queue/jobs/slots.js';

/** Where the slots of a queue are kept, and what is done there in order. */
const world = (external: number) => {
  const calls: string[] = [];
  let slots = 4;
  const queueStore = {
    stats: () => Promise.resolve({ slots, external } as never),
    setSlots: (to: number) => Promise.resolve(void calls.push(`slots ${(slots = to)}`)),
  };
  const slotTokens = { setLimit: (to: number) => Promise.resolve(void calls.push(`limit ${to}`)) };
  return { calls, queue: { queueStore, slotTokens } };
};

it('knows how many jobs the account of a tier runs at once, and takes a number for itself', () => {
  const tiers = (['free', 'standard', 'creator', 'pro', 'unlimited'] as const).map(slotsOf);
  expect([...tiers, slotsOf(7)]).toEqual([1, 1, 3, 5, 100, 7]);
});

it('lets as many turns run as jobs of other programs leave slots, and none where they leave none', async () => {
  const some = world(1);
  await limitTokens(some.queue);
  const none = world(9);
  await limitTokens(none.queue);
  expect([some.calls, none.calls]).toEqual([['limit 3'], ['limit 0']]);
});

it('keeps the slots of a tier before it limits the turns by them', async () => {
  const { calls, queue } = world(1);
  await setSlots(queue, 'pro');
  expect(calls).toEqual(['slots 5', 'limit 4']);
});
