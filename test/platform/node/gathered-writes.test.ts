import { describe, expect, it } from 'vitest';
import { gatheredWrites } from '../../../src/platform/node/gathered-writes.js';

const piece = (bytes: number, value: number): Uint8Array => new Uint8Array(bytes).fill(value);

/** A disk that takes at most `atOnce` bytes a call, and waits with each call until it is let go. */
const disk = ({ atOnce = Infinity, failsAfter = Infinity, waits = false } = {}) => {
  const calls: number[] = [];
  const written: number[] = [];
  const held: (() => void)[] = [];
  return {
    calls,
    written,
    letGo: () => held.shift()?.(),
    writev: async (pieces: readonly Uint8Array[]) => {
      calls.push(pieces.length);
      if (waits) await new Promise<void>((resolve) => held.push(resolve));
      if (written.length >= failsAfter) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      const bytes = pieces.flatMap((each) => [...each]).slice(0, Math.min(atOnce, failsAfter));
      for (const byte of bytes) written.push(byte);
      return { bytesWritten: bytes.length };
    },
  };
};

describe('gathered writes', () => {
  it('write small pieces by one call, in their order', async () => {
    const target = disk();
    const { write, flush } = gatheredWrites(target);
    for (const value of [1, 2, 3]) await write(piece(2, value));
    expect(target.calls).toEqual([]);
    await flush();
    await flush();
    expect([target.calls, target.written]).toEqual([[3], [1, 1, 2, 2, 3, 3]]);
  });

  it.each([1, 2, 3, 4, 5])('write the rest again where the disk takes %d bytes at once', async (atOnce) => {
    const target = disk({ atOnce });
    const { write, flush } = gatheredWrites(target);
    for (const value of [1, 2, 3]) await write(piece(value, value));
    await write(piece(0, 9));
    await flush();
    expect(target.written).toEqual([1, 2, 2, 3, 3, 3]);
  });

  it('wait for the disk with two batches in memory', async () => {
    const target = disk({ waits: true });
    const { write } = gatheredWrites(target);
    const batch = 512 * 1024;
    await write(piece(batch, 1));
    let room = false;
    const third = write(piece(batch, 2)).then(() => (room = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect([target.calls.length, room]).toEqual([1, false]);
    target.letGo();
    await third;
    expect([target.calls.length, room]).toEqual([2, true]);
    target.letGo();
  });

  it('give the memory of a batch back once it is written, and no sooner', async () => {
    const target = disk({ waits: true });
    const { write, flush } = gatheredWrites(target);
    const [first, second, small] = [piece(512 * 1024, 1), piece(512 * 1024, 2), piece(3, 3)];
    await write(first);
    expect(first.byteLength).toBe(512 * 1024);
    const room = write(second);
    target.letGo();
    await room;
    expect([first.byteLength, second.byteLength]).toEqual([0, 512 * 1024]);
    await write(small);
    const flushed = flush();
    target.letGo();
    await new Promise((resolve) => setImmediate(resolve));
    target.letGo();
    await flushed;
    expect([second.byteLength, small.byteLength, target.written.length]).toEqual([0, 0, 1024 * 1024 + 3]);
  });

  it('leave alone what is only a part of its buffer', async () => {
    const whole = piece(8, 1);
    const { write, flush } = gatheredWrites(disk({ atOnce: 3 }));
    await write(whole.subarray(2));
    await flush();
    expect(whole).toEqual(piece(8, 1));
  });

  it('G17 throw what the disk refuses at the next call, and at each one after', async () => {
    const target = disk({ failsAfter: 3 });
    const { write, flush } = gatheredWrites(target);
    await write(piece(4, 1));
    await expect(flush()).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(write(piece(1024 * 1024, 1))).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(flush()).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(target.written).toHaveLength(3);
  });
});
