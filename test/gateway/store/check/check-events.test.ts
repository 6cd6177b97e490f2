import { checkStore } from '../../../../src/server/gateway/store/check/check-store.js';
import { eventLogIn } from '../../../../src/server/gateway/store/event-log.js';
import { expect, it, vi } from 'vitest';
import { MemoryLevel } from 'memory-level';
import { storeOf } from '../../../../src/server/gateway/store/store.js';

/** How often a start reads a part of a store in which each of two owners has so many events. */
const readsOf = async (events: number): Promise<number> => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  await level.open();
  const check = () => checkStore(level, { now: 1, all: false, repair: true, tell: () => undefined });
  await check();
  const log = eventLogIn(storeOf(level));
  for (const owner of ['alice', 'bob'])
    for (let at = 0; at < events; at += 1)
      await log.append(owner, `job of ${owner}`, [{ type: 'cancelRequested', at }]);
  const reads = vi.spyOn(level, 'iterator');
  await check();
  return reads.mock.calls.length;
};

it('a start reads as much of logs that are whole, however many events they have', async () => {
  expect(await readsOf(40)).toBe(await readsOf(2));
});
