import type { Audio } from '../values.js';

/** Encodes a sound as a WAV file with 16-bit PCM samples, channels interleaved. */
export const encodeWav = ({ sampleRate, channels }: Pick<Audio, 'sampleRate' | 'channels'>): Uint8Array => {
  const length = channels[0]?.length ?? 0;
  const block = channels.length * 2;
  const file = Buffer.alloc(44 + length * block);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20); // linear PCM
  file.writeUInt16LE(channels.length, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * block, 28);
  file.writeUInt16LE(block, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(length * block, 40);
  channels.forEach((samples, channel) => {
    samples.forEach((sample, index) => {
      file.writeInt16LE(
        Math.round(Math.max(-1, Math.min(1, sample)) * 32_767),
        44 + index * block + channel * 2,
      );
    });
  });
  return file;
};

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
