import { createHash } from 'node:crypto';
import type { Audio } from '../values.js';
import { bitWriter, type BitWriter } from './bit-writer.js';

/** So many samples of each channel make a frame. */
const blockSize = 4096;

/**
 * Encodes a sound as a FLAC file of 16 bits, without loss, with texts as Vorbis comments (RFC 9639).
 *
 * Each channel of a frame is predicted from its last two samples, and what the prediction misses is written as Rice codes.
 */
export const encodeFlac = (
  { sampleRate, channels }: Pick<Audio, 'sampleRate' | 'channels'>,
  texts: Readonly<Record<string, string>> = {},
): Uint8Array => {
  const tracks = channels.map((samples) => Int32Array.from(samples, toInteger));
  const length = tracks[0]?.length ?? 0;
  const frames = Array.from({ length: Math.ceil(length / blockSize) }, (_, index) =>
    frameOf(
      tracks.map((track) => track.subarray(index * blockSize, (index + 1) * blockSize)),
      index,
    ),
  );
  return Buffer.concat([
    Buffer.from('fLaC', 'latin1'),
    metadataBlock(0, false, streamInfo(sampleRate, tracks)),
    metadataBlock(4, true, comments(texts)),
    ...frames,
  ]);
};

const toInteger = (sample: number): number => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);

const metadataBlock = (type: number, isLast: boolean, content: Uint8Array): Uint8Array => {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(content.length);
  header[0] = type | (isLast ? 0x80 : 0);
  return Buffer.concat([header, content]);
};

const streamInfo = (sampleRate: number, tracks: readonly Int32Array[]): Uint8Array => {
  const length = tracks[0]?.length ?? 0;
  const bits = bitWriter();
  bits.bits(blockSize, 16);
  bits.bits(blockSize, 16);
  bits.bits(0, 24); // the sizes of the frames, which are not told
  bits.bits(0, 24);
  bits.bits(sampleRate, 20);
  bits.bits(tracks.length - 1, 3);
  bits.bits(16 - 1, 5);
  bits.bits(Math.floor(length / 2 ** 32), 4);
  bits.bits(length % 2 ** 32, 32);
  bits.bytes(checksum(tracks));
  return bits.finish().subarray(0, 34);
};

/** MD5 of the samples as 16-bit PCM, channels interleaved. */
const checksum = (tracks: readonly Int32Array[]): Uint8Array => {
  const length = tracks[0]?.length ?? 0;
  const samples = Buffer.alloc(length * tracks.length * 2);
  tracks.forEach((track, channel) => {
    track.forEach((sample, at) => samples.writeInt16LE(sample, (at * tracks.length + channel) * 2));
  });
  return createHash('md5').update(samples).digest();
};

const comments = (texts: Readonly<Record<string, string>>): Uint8Array => {
  const sized = (text: string): Uint8Array => {
    const bytes = Buffer.from(text, 'utf8');
    return Buffer.concat([littleEndian(bytes.length), bytes]);
  };
  const entries = Object.entries(texts).map(([name, text]) => sized(`${name}=${text}`));
  return Buffer.concat([sized('promptwire'), littleEndian(entries.length), ...entries]);
};

const littleEndian = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const frameOf = (tracks: readonly Int32Array[], index: number): Uint8Array => {
  const header = frameHeader(tracks, index);
  const bits = bitWriter();
  bits.bytes(Uint8Array.of(...header, crc(header, 8, 0x07)));
  for (const track of tracks) subframe(bits, track);
  bits.align();
  bits.bytes(new Uint8Array(0));
  const content = bits.finish().subarray(0, -1);
  const footer = Buffer.alloc(2);
  footer.writeUInt16BE(crc(content, 16, 0x8005));
  return Buffer.concat([content, footer]);
};

const frameHeader = (tracks: readonly Int32Array[], index: number): Uint8Array => {
  const bits = bitWriter();
  bits.bits(0b11111111111110, 14);
  bits.bits(0b00, 2); // blocks of one size
  bits.bits(0b0111, 4); // which stands below, in 16 bits
  bits.bits(0b0000, 4); // the rate of STREAMINFO
  bits.bits(tracks.length - 1, 4); // each channel for itself
  bits.bits(0b100, 3); // 16 bits a sample
  bits.bits(0, 1);
  bits.bytes(codedNumber(index));
  bits.bits((tracks[0]?.length ?? 0) - 1, 16);
  return bits.finish().subarray(0, -1);
};

/** A number as UTF-8 would write it. */
const codedNumber = (value: number): Uint8Array => Buffer.from(String.fromCodePoint(value), 'utf8');

const subframe = (bits: BitWriter, samples: Int32Array): void => {
  const order = Math.min(2, samples.length);
  bits.bits(0, 1);
  bits.bits(0b001000 | order, 6);
  bits.bits(0, 1); // no wasted bits
  for (const sample of samples.subarray(0, order)) bits.bits(sample & 0xffff, 16);
  const residual = samples.subarray(order).map((sample, at) => {
    const [before = 0, last = 0] = order === 2 ? [samples[at], samples[at + 1]] : [];
    return sample - (2 * last - before);
  });
  const parameter = riceParameter(residual);
  bits.bits(0b00, 2); // parameters of 4 bits
  bits.bits(0, 4); // one partition
  bits.bits(parameter, 4);
  for (const missed of residual) {
    const folded = missed >= 0 ? missed * 2 : -missed * 2 - 1;
    for (let count = folded >>> parameter; count > 0; count -= 1) bits.bits(0, 1);
    bits.bits(1, 1);
    bits.bits(folded & ((1 << parameter) - 1), parameter);
  }
};

/** The number of low bits that are written as they are: about as many as a value has on average. */
const riceParameter = (residual: Int32Array): number => {
  const mean = residual.reduce((sum, missed) => sum + Math.abs(missed), 0) / Math.max(1, residual.length);
  return Math.max(0, Math.min(14, Math.ceil(Math.log2(mean + 1))));
};

const crc = (bytes: Uint8Array, width: 8 | 16, polynomial: number): number => {
  const top = 1 << (width - 1);
  const mask = 2 ** width - 1;
  let rest = 0;
  for (const byte of bytes) {
    rest ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit += 1)
      rest = ((rest & top) === 0 ? rest << 1 : (rest << 1) ^ polynomial) & mask;
  }
  return rest;
};
