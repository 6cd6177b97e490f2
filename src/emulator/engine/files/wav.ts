import type { Audio } from '../values.js';

/** Decodes a WAV file with 16-bit PCM samples; undefined for any other file. */
export const decodeWav = (bytes: Uint8Array): Audio | undefined => {
  const file = Buffer.from(bytes);
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at + 8 <= file.length;) {
    const size = file.readUInt32LE(at + 4);
    chunks.set(file.toString('latin1', at, at + 4), file.subarray(at + 8, at + 8 + size));
    at += 8 + size + (size & 1);
  }
  const [format, data] = [chunks.get('fmt '), chunks.get('data')];
  if (format === undefined || data === undefined || format.length < 16) return undefined;
  const count = format.readUInt16LE(2);
  if (format.readUInt16LE(0) !== 1 || format.readUInt16LE(14) !== 16 || count === 0) return undefined;
  const length = Math.floor(data.length / (count * 2));
  const channels = Array.from({ length: count }, (_, channel) =>
    Float32Array.from({ length }, (_, at) => data.readInt16LE((at * count + channel) * 2) / 32_768),
  );
  return { kind: 'AUDIO', sampleRate: format.readUInt32LE(4), channels };
};
