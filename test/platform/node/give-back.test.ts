import { markAsUntransferable } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { giveBack } from '../../../src/platform/node/give-back.js';

const piece = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(7);
const lengths = (pieces: readonly Uint8Array[]): readonly number[] =>
  pieces.map(({ byteLength }) => byteLength);

describe('giving memory back', () => {
  it('takes it from pieces that are their whole buffer', () => {
    const pieces = [piece(3), Buffer.from(piece(5).buffer), piece(0)];
    giveBack(pieces);
    expect(lengths(pieces)).toEqual([0, 0, 0]);
  });

  it('does so again and again', () => {
    for (const bytes of [1, 2, 3]) {
      const given = piece(bytes);
      giveBack([given]);
      expect(given.byteLength).toBe(0);
    }
  });

  it('leaves memory alone that others may look at', () => {
    const whole = piece(8);
    const shared = new Uint8Array(new SharedArrayBuffer(4));
    const pooled = Buffer.from('of the pool');
    const views = [whole.subarray(0, 7), whole.subarray(1), shared, pooled];
    const given = piece(2);
    giveBack([...views, given]);
    expect(lengths([...views, whole, given])).toEqual([7, 7, 4, 11, 8, 0]);
    expect(pooled.toString()).toBe('of the pool');
  });

  it('fails nobody where it cannot be had', () => {
    const kept = piece(4);
    markAsUntransferable(kept.buffer);
    const twice = piece(2);
    giveBack([kept]);
    giveBack([twice, twice]);
    giveBack([]);
    expect(kept).toEqual(piece(4));
  });
});
