import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFlac } from '../../../../src/emulator/engine/files/decode-flac.js';
import { encodeFlac } from '../../../../src/emulator/engine/files/flac.js';
import { workflowIn } from '../../../../src/workflow.js';

const sound = (channels: readonly (readonly number[])[], sampleRate = 44_100) => ({
  sampleRate,
  channels: channels.map((samples) => Float32Array.from(samples)),
});

describe('encodeFlac', () => {
  it('law: keeps every sample of 16 bits, whatever the number of channels and samples', () => {
    const sample = fc.integer({ min: -32_767, max: 32_767 });
    const tracks = fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 70 }))
      .chain(([channels, length]) =>
        fc.array(fc.array(sample, { minLength: length, maxLength: length }), {
          minLength: channels,
          maxLength: channels,
        }),
      );
    fc.assert(
      fc.property(tracks, (given) => {
        const decoded = decodeFlac(
          encodeFlac(sound(given.map((track) => track.map((value) => value / 32_767)))),
        );
        const back = decoded?.channels.map((track) => [...track].map((value) => Math.round(value * 32_768)));
        expect(back).toEqual(given);
      }),
    );
  });

  it('keeps sounds of several frames, and their rate', () => {
    const wave = Array.from({ length: 10_000 }, (_, at) => Math.sin(at / 20) / 2);
    const file = encodeFlac(sound([wave, wave.toReversed()], 22_050));
    const decoded = decodeFlac(file);
    expect(decoded?.sampleRate).toBe(22_050);
    expect(decoded?.channels.map(({ length }) => length)).toEqual([10_000, 10_000]);
    expect(Math.abs((decoded?.channels[1]?.[0] ?? 9) - wave.at(-1)!)).toBeLessThan(0.001);
    // A tone is predictable.
    expect(file.length).toBeLessThan(10_000 * 4 * 0.7);
  });

  it('carries texts that readers of workflows find', async () => {
    const prompt = { 1: { class_type: 'ToneAudio', inputs: {} } };
    const file = encodeFlac(sound([[0, 0.5]]), { prompt: JSON.stringify(prompt) });
    const found = await workflowIn(file);
    expect(found).toMatchObject({ _tag: 'Found', format: 'flac' });
    expect(JSON.stringify(found)).toContain('ToneAudio');
  });

  it('is no FLAC where it is cut', () => {
    const file = encodeFlac(sound([[0.1, 0.2, 0.3]]));
    for (let length = 0; length < file.length; length += 1)
      expect(decodeFlac(file.subarray(0, length))?.channels[0]?.length ?? 0).toBe(0);
  });
});
