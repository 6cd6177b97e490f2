import { describe, expect, it } from 'vitest';
import { encodeWav } from '../../../../src/emulator/engine/files/wav.js';

describe('encodeWav', () => {
  const file = Buffer.from(
    encodeWav({ sampleRate: 8000, channels: [Float32Array.of(0, 1, -1), Float32Array.of(0.5, 2, -2)] }),
  );

  it('writes the header of 16-bit PCM', () => {
    expect(file.toString('latin1', 0, 4)).toBe('RIFF');
    expect(file.toString('latin1', 8, 16)).toBe('WAVEfmt ');
    expect(file.toString('latin1', 36, 40)).toBe('data');
    expect({
      riffSize: file.readUInt32LE(4),
      formatSize: file.readUInt32LE(16),
      format: file.readUInt16LE(20),
      channels: file.readUInt16LE(22),
      sampleRate: file.readUInt32LE(24),
      bytesPerSecond: file.readUInt32LE(28),
      blockAlign: file.readUInt16LE(32),
      bitsPerSample: file.readUInt16LE(34),
      dataSize: file.readUInt32LE(40),
    }).toEqual({
      riffSize: file.length - 8,
      formatSize: 16,
      format: 1,
      channels: 2,
      sampleRate: 8000,
      bytesPerSecond: 32_000,
      blockAlign: 4,
      bitsPerSample: 16,
      dataSize: 12,
    });
  });

  it('interleaves the channels and limits what is too loud', () => {
    const samples = Array.from({ length: 6 }, (_, index) => file.readInt16LE(44 + index * 2));
    expect(samples).toEqual([0, 16_384, 32_767, 32_767, -32_767, -32_767]);
  });

  it('writes an empty sound as a header alone', () => {
    expect(encodeWav({ sampleRate: 8000, channels: [new Float32Array(0)] })).toHaveLength(44);
  });
});
