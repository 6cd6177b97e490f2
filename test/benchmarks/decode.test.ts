import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { pictureInput, textInBytesInputs, textInputs } from '../../benchmarks/tools/decode-inputs.js';
import { kibibyte } from '../../benchmarks/tools/sizes.js';
import { decodeFrame } from '../../src/core/protocol/frames/decode-frame.js';

const inputs = [
  pictureInput(1, kibibyte),
  pictureInput(1, 32 * kibibyte),
  pictureInput(4, kibibyte),
  pictureInput(4, 32 * kibibyte),
  ...textInBytesInputs,
  ...textInputs,
];

describe('the floor of the decode benchmarks', () => {
  it.each(inputs.map((input) => [input.what, input] as const))('gives the same value: %s', (_, input) => {
    for (let seed = 0; seed < 16; seed += 1) {
      const wire = input.make(seed);
      const frame = decodeFrame(wire, { promptText: false });
      expect(['Event', 'Preview', 'Text']).toContain(frame._tag);
      const value = frame._tag === 'Event' ? { type: frame.type, data: frame.data } : frame;
      assert.deepStrictEqual(value, input.floor(wire as never));
    }
  });
});
