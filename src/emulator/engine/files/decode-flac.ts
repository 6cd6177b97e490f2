import type { Audio } from '../values.js';

/**
 * Decodes a FLAC file (RFC 9639); undefined for any other file, and for one that is cut.
 *
 * Checksums are not looked at. What no encoder in use writes, such as samples of 32 bits, is no FLAC here.
 */
export const decodeFlac = (bytes: Uint8Array): Audio | undefined => {
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof CutFile) return undefined;
    throw error;
  }
};

/** The file ends before its samples, or holds what is no FLAC. */
class CutFile extends Error {}

interface BitReader {
  readonly bits: (count: number) => number;
  readonly signed: (count: number) => number;
  /** Counts the zeros before the next one. */
  readonly unary: () => number;
  readonly align: () => void;
  readonly skip: (bytes: number) => void;
  readonly isAtEnd: () => boolean;
}

const bitReader = (bytes: Uint8Array): BitReader => {
  let at = 0;
  const bit = (): number => {
    const byte = bytes[at >>> 3];
    if (byte === undefined) throw new CutFile();
    const value = (byte >>> (7 - (at & 7))) & 1;
    at += 1;
    return value;
  };
  const bits = (count: number): number => {
    let value = 0;
    for (let left = count; left > 0; left -= 1) value = value * 2 + bit();
    return value;
  };
  return {
    bits,
    signed: (count) => {
      const value = bits(count);
      return count > 0 && value >= 2 ** (count - 1) ? value - 2 ** count : value;
    },
    unary: () => {
      let count = 0;
      while (bit() === 0) count += 1;
      return count;
    },
    align: () => (at = (at + 7) & ~7),
    skip: (count) => (at += count * 8),
    isAtEnd: () => at >>> 3 >= bytes.length,
  };
};

interface StreamInfo {
  readonly sampleRate: number;
  readonly channels: number;
  readonly sampleBits: number;
}

const decode = (bytes: Uint8Array): Audio | undefined => {
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== 'fLaC') return undefined;
  const reader = bitReader(bytes);
  reader.skip(4);
  const info = readMetadata(reader);
  if (info === undefined) return undefined;
  const blocks: (readonly Float64Array[])[] = [];
  while (!reader.isAtEnd()) blocks.push(readFrame(reader, info));
  const channels = Array.from({ length: info.channels }, (_, channel) =>
    Float32Array.from(
      blocks.flatMap((block) => [...(block[channel] ?? [])]),
      (sample) => sample / 2 ** (info.sampleBits - 1),
    ),
  );
  return { kind: 'AUDIO', sampleRate: info.sampleRate, channels };
};

const readMetadata = (reader: BitReader): StreamInfo | undefined => {
  let info: StreamInfo | undefined;
  for (let isLast = false; !isLast;) {
    isLast = reader.bits(1) === 1;
    const [type, size] = [reader.bits(7), reader.bits(24)];
    if (type !== 0) {
      reader.skip(size);
      continue;
    }
    reader.skip(10);
    info = {
      sampleRate: reader.bits(20),
      channels: reader.bits(3) + 1,
      sampleBits: reader.bits(5) + 1,
    };
    reader.bits(36);
    reader.skip(size - 18);
  }
  return info;
};

const readFrame = (reader: BitReader, { channels, sampleBits }: StreamInfo): readonly Float64Array[] => {
  if (reader.bits(14) !== 0b11111111111110) throw new CutFile();
  reader.bits(2);
  const [sizeCode, rateCode, layout] = [reader.bits(4), reader.bits(4), reader.bits(4)];
  reader.bits(4); // the size of samples is that of the stream
  skipCodedNumber(reader);
  const length = blockLength(sizeCode, reader);
  if (rateCode >= 12) reader.bits(rateCode === 12 ? 8 : 16);
  reader.bits(8);
  const isPair = layout >= 8;
  const tracks = Array.from({ length: isPair ? 2 : channels }, (_, channel) =>
    readSubframe(reader, length, sampleBits + (hasMoreBits(layout, channel) ? 1 : 0)),
  );
  reader.align();
  reader.bits(16);
  return isPair ? paired(layout, tracks) : tracks;
};

/** The side channel of a pair is a difference, which takes one bit more. */
const hasMoreBits = (layout: number, channel: number): boolean =>
  (layout === 8 && channel === 1) || (layout === 9 && channel === 0) || (layout === 10 && channel === 1);

const skipCodedNumber = (reader: BitReader): void => {
  const first = reader.bits(8);
  const more = first < 0x80 ? 0 : Math.clz32(~(first << 24)) - 1;
  reader.skip(more);
};

const blockLength = (code: number, reader: BitReader): number => {
  if (code === 1) return 192;
  if (code <= 5) return 576 * 2 ** (code - 2);
  if (code <= 7) return reader.bits(code === 6 ? 8 : 16) + 1;
  return 256 * 2 ** (code - 8);
};

const paired = (
  layout: number,
  [one = empty, other = empty]: readonly Float64Array[],
): readonly Float64Array[] => {
  const second = (at: number): number => other[at] ?? 0;
  if (layout === 8) return [one, one.map((left, at) => left - second(at))];
  if (layout === 9) return [one.map((side, at) => side + second(at)), other];
  const sums = one.map((middle, at) => middle * 2 + (Math.abs(second(at)) % 2));
  return [sums.map((sum, at) => (sum + second(at)) / 2), sums.map((sum, at) => (sum - second(at)) / 2)];
};

const empty = new Float64Array();

const readSubframe = (reader: BitReader, length: number, bits: number): Float64Array => {
  reader.bits(1);
  const type = reader.bits(6);
  const wasted = reader.bits(1) === 1 ? reader.unary() + 1 : 0;
  return readSamples(reader, type, length, bits - wasted).map((sample) => sample * 2 ** wasted);
};

const readSamples = (reader: BitReader, type: number, length: number, bits: number): Float64Array => {
  if (type === 0) return new Float64Array(length).fill(reader.signed(bits));
  const samples = new Float64Array(length);
  if (type === 1) return samples.map(() => reader.signed(bits));
  const isFixed = type < 32;
  const order = isFixed ? type - 8 : type - 31;
  if (order < 0 || order > length) throw new CutFile();
  for (let at = 0; at < order; at += 1) samples[at] = reader.signed(bits);
  const precision = isFixed ? 0 : reader.bits(4) + 1;
  const shift = isFixed ? 0 : reader.signed(5);
  const weights = isFixed
    ? (fixedWeights[order] ?? [])
    : Array.from({ length: order }, () => reader.signed(precision));
  readResidual(reader, samples, order);
  for (let at = order; at < length; at += 1) {
    const predicted = weights.reduce((sum, weight, back) => sum + weight * (samples[at - 1 - back] ?? 0), 0);
    samples[at] = (samples[at] ?? 0) + Math.floor(predicted / 2 ** shift);
  }
  return samples;
};

const fixedWeights: readonly (readonly number[])[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

/** Reads what the prediction misses, into the places of its samples. */
const readResidual = (reader: BitReader, samples: Float64Array, order: number): void => {
  const parameterBits = reader.bits(2) === 0 ? 4 : 5;
  const partitions = 2 ** reader.bits(4);
  const size = samples.length / partitions;
  for (let partition = 0; partition < partitions; partition += 1) {
    const parameter = reader.bits(parameterBits);
    const isRaw = parameter === 2 ** parameterBits - 1;
    const rawBits = isRaw ? reader.bits(5) : 0;
    for (let at = Math.max(order, partition * size); at < (partition + 1) * size; at += 1)
      samples[at] = isRaw
        ? reader.signed(rawBits)
        : unfolded(reader.unary() * 2 ** parameter + reader.bits(parameter));
  }
};

const unfolded = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
