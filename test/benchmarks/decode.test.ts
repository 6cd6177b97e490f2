import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { decodeInputs } from '../../benchmarks/tools/decode-inputs.js';
import { decodeFrame } from '../../src/protocol/frames/decode-frame.js';

describe('the floor of the decode benchmark', () => {
  it.each(decodeInputs.map((input) => [input.what, input] as const))(
    'gives the same value: %s',
    (_, input) => {
      for (let seed = 0; seed < 16; seed += 1) {
        const wire = input.make(seed);
        const frame = decodeFrame(wire, { promptText: false });
        expect(['Event', 'Preview', 'Text']).toContain(frame._tag);
        const value = frame._tag === 'Event' ? { type: frame.type, data: frame.data } : frame;
        assert.deepStrictEqual(value, input.floor(wire as never));
      }
    },
  );
});
