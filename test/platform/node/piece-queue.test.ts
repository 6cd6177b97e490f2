import { describe, expect, it } from 'vitest';
import { PieceQueue } from '../../../src/platform/node/piece-queue.js';

const filled = (...sizes: readonly number[]): PieceQueue => {
  const queue = new PieceQueue();
  for (const size of sizes) queue.push(new Uint8Array(size).fill(size));
  return queue;
};

const sizesOf = async (queue: PieceQueue): Promise<readonly number[]> => {
  const sizes: number[] = [];
  for await (const { byteLength } of queue) sizes.push(byteLength);
  return sizes;
};

describe('a queue of pieces', () => {
  it('gives up its one piece at once when it has ended, and nothing afterwards', async () => {
    const queue = filled(3);
    queue.end();
    expect(queue.whole(3)).toEqual(new Uint8Array([3, 3, 3]));
    expect([queue.waiting(), queue.whole(3), await sizesOf(queue)]).toEqual([0, undefined, []]);
  });

  it.each([
    ['it goes on', filled(3), undefined, false],
    ['it is more than was asked for', filled(4), undefined, true],
    ['there are two', filled(1, 2), undefined, true],
    ['there is none', filled(), undefined, true],
    ['it failed', filled(3), new Error('cut'), true],
  ])('keeps it for who reads piece by piece where %s', async (_, queue, failure, ends) => {
    const waiting = queue.waiting();
    if (ends) queue.end(failure);
    expect([queue.whole(3), queue.waiting()]).toEqual([undefined, waiting]);
    queue.end();
    const read = sizesOf(queue);
    if (failure === undefined) expect((await read).reduce((sum, size) => sum + size, 0)).toBe(waiting);
    else await expect(read).rejects.toBe(failure);
  });

  it('wakes a reader who waits, and calls for more each time', async () => {
    const queue = new PieceQueue();
    let drained = 0;
    const pieces = queue.pieces(() => (drained += 1));
    const first = pieces.next();
    queue.push(new Uint8Array(1));
    expect(await first).toMatchObject({ done: false });
    const end = pieces.next();
    queue.end();
    expect([await end, drained]).toMatchObject([{ done: true }, 2]);
  });
});
