import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../src/core/protocol/frames/decode-frame.js';
import { wireFrame, wireKinds } from '../helpers/frame-arbitraries.js';
import { often, runs } from '../helpers/runs.js';

describe('law 2: decode ∘ encode = id', () => {
  it('for each frame type and each setting of type 3', () => {
    const seen = new Map(wireKinds.map((kind) => [kind, 0]));
    fc.assert(
      fc.property(wireFrame, ({ kind, wire, promptText, frame }) => {
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        assert.deepStrictEqual(decodeFrame(wire, { promptText }), frame);
      }),
      { numRuns: runs(10_000) },
    );
    expect([...seen.keys()]).toStrictEqual(wireKinds);
    for (const [kind, count] of seen) expect(count, kind).toBeGreaterThan(often(20));
  });

  it('and wherever the bytes lie', () => {
    fc.assert(
      fc.property(wireFrame, fc.nat(70), ({ wire, promptText, frame }, offset) => {
        fc.pre(typeof wire !== 'string' && frame._tag !== 'Unknown');
        const pool = Buffer.concat([new Uint8Array(offset).fill(0x7b), wire, Buffer.from('"}tail')]);
        const view = pool.subarray(offset, offset + wire.length);
        assert.deepStrictEqual(decodeFrame(view, { promptText }), frame);
        const exact = new Uint8Array(view).buffer;
        assert.deepStrictEqual(decodeFrame(exact, { promptText }), frame);
      }),
      { numRuns: runs(1000) },
    );
  });
});
