import { describe, expect, it } from 'vitest';
import { semaphore } from '../../src/core/files/semaphore.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Starts work that goes on until it is told to end. */
const start = (
  shared: ReturnType<typeof semaphore>,
  limit: number,
  signal = new AbortController().signal,
) => {
  let began = false;
  let end = (): void => undefined;
  const done = (async () => {
    for await (const _ of shared.run(limit, signal, async function* () {
      began = true;
      await new Promise<void>((resolve) => (end = resolve));
      yield 'done';
    })) {
      expect(_).toBe('done');
    }
  })();
  return { began: () => began, end: () => end(), done };
};

describe('slots', () => {
  it('G18 let so many go on, and the one that waits longest next', async () => {
    const shared = semaphore();
    const all = [1, 2, 3, 4].map(() => start(shared, 2));
    await turn();
    expect(all.map(({ began }) => began())).toEqual([true, true, false, false]);
    all[1]!.end();
    await turn();
    expect(all.map(({ began }) => began())).toEqual([true, true, true, false]);
  });

  it('G18 measure each by its own limit', async () => {
    const shared = semaphore();
    const [first, second, third] = [start(shared, 1), start(shared, 1), start(shared, 2)];
    await turn();
    expect([first.began(), second.began(), third.began()]).toEqual([true, false, true]);
    third.end();
    await turn();
    expect(second.began()).toBe(false);
    first.end();
    await turn();
    expect(second.began()).toBe(true);
  });

  it('G19 give a place back once, also after an abort, and to nobody who has left', async () => {
    const shared = semaphore();
    const controller = new AbortController();
    const first = start(shared, 1);
    const left = start(shared, 1, controller.signal);
    const next = start(shared, 1);
    await turn();
    controller.abort();
    await turn();
    // Whoever is aborted goes on at once, to see the abort itself, and takes no place.
    expect([left.began(), next.began()]).toEqual([true, false]);
    left.end();
    await left.done;
    expect(next.began()).toBe(false);
    first.end();
    await first.done;
    await turn();
    expect(next.began()).toBe(true);
  });
});
