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
