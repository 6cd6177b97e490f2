import type { Picture } from '../node-class.js';
import { quantisers, type Quantisers, tokensOf, zigzag } from './jpeg-tokens.js';

/**
 * Encodes a picture as a baseline JPEG without subsampling; `quality` is 1 to 100, by default 90.
 *
 * Its Huffman codes are made for the picture. The tables of the decoder library's own encoder are built anew for each
 * picture, which takes longer than a small preview itself; here nothing is.
 */
export const encodeJpeg = (
  picture: Picture,
  { quality = 90 }: { readonly quality?: number } = {},
): Uint8Array => {
  const steps = quantisers(quality);
  const tokens = tokensOf(picture, steps);
  const code = { dc: huffmanCode(tokens.dcCounts), ac: huffmanCode(tokens.acCounts) };
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xe0, ...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0),
    segment(0xdb, ...quantiserTable(0, steps.luma), ...quantiserTable(1, steps.chroma)),
    segment(0xc0, 8, ...u16(picture.height), ...u16(picture.width), 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1),
    segment(0xc4, 0x00, ...huffmanTable(code.dc), 0x10, ...huffmanTable(code.ac)),
    segment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0),
    packTokens(tokens.list, code),
    Buffer.of(0xff, 0xd9),
  ]);
};

const segment = (marker: number, ...body: readonly number[]): Buffer =>
  Buffer.of(0xff, marker, ...u16(body.length + 2), ...body);

const u16 = (value: number): readonly [number, number] => [value >> 8, value & 255];

const quantiserTable = (id: number, steps: Quantisers['luma']): readonly number[] => [
  id,
  ...zigzag.map((place) => steps[place] ?? 1),
];

/** How many codes there are of each length from 1 to 16, then their symbols. */
const huffmanTable = ({ symbols, lengths }: HuffmanCode): readonly number[] => [
  ...Array.from(
    { length: 16 },
    (_, index) => symbols.filter((symbol) => lengths[symbol] === index + 1).length,
  ),
  ...symbols,
];

/** Packs tokens into bits: each symbol's code, then its value; a byte of ones is followed by an empty one. */
export const packTokens = (
  tokens: readonly number[],
  { dc, ac }: { readonly dc: HuffmanCode; readonly ac: HuffmanCode },
): Uint8Array => {
  // A token has at most 16 + 11 bits, and in the worst case each byte is followed by an empty one.
  const packed = new Uint8Array(tokens.length * 8 + 2);
  let length = 0;
  let pending = 0;
  let filled = 0;
  const putByte = (byte: number): void => {
    packed[length++] = byte;
    if (byte === 0xff) packed[length++] = 0;
  };
  const put = (value: number, bits: number): void => {
    pending = (pending << bits) | value;
    filled += bits;
    for (; filled >= 8; filled -= 8) putByte((pending >> (filled - 8)) & 0xff);
    pending &= (1 << filled) - 1;
  };
  for (const token of tokens) {
    const symbol = token & 0xff;
    const { codes, lengths } = token & 0x100 ? dc : ac;
    put(codes[symbol] ?? 0, lengths[symbol] ?? 0);
    put(token >> 9, symbol & 15);
  }
  if (filled > 0) put((1 << (8 - filled)) - 1, 8 - filled);
  return packed.subarray(0, length);
};

/** A prefix code over symbols 0 to 255. */
interface HuffmanCode {
  /** The symbols that have a code, shortest code first. */
  readonly symbols: readonly number[];
  /** Symbol → length of its code in bits, 1 to 16; 0 for symbols without one. */
  readonly lengths: Uint8Array;
  /** Symbol → its code. */
  readonly codes: Uint16Array;
}

/**
 * Makes the best code for symbols that occur so many times, within what JPEG allows: at most 16 bits, and no code of
 * ones alone.
 */
export const huffmanCode = (counts: Uint32Array): HuffmanCode => {
  const lengths = new Uint8Array(256);
  const depths = depthsWithin16(counts);
  const used = [...depths.keys()].filter((symbol) => symbol !== reserved);
  const symbols = used.toSorted((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0) || a - b);
  const codes = new Uint16Array(256);
  let code = 0;
  let length = 0;
  for (const symbol of symbols) {
    const depth = depths.get(symbol) ?? 0;
    code <<= depth - length;
    length = depth;
    lengths[symbol] = depth;
    codes[symbol] = code;
    code += 1;
  }
  return { symbols, lengths, codes };
};

/** A symbol that is never written: it takes the last of the longest codes, the one of ones alone. */
const reserved = -1;

type Depths = ReadonlyMap<number, number>;

/** Flattens the counts until no symbol lies too deep. */
const depthsWithin16 = (counts: Uint32Array): Depths => {
  const depths = depthsOf(counts);
  return Math.max(...depths.values()) <= 16
    ? depths
    : depthsWithin16(counts.map((count) => Math.ceil(count / 2)));
};

interface Tree {
  readonly count: number;
  readonly symbols: readonly number[];
}

/** Joins the two rarest trees until one is left; each join lays their symbols one deeper. */
const depthsOf = (counts: Uint32Array): Depths => {
  let trees: readonly Tree[] = [
    { count: 0, symbols: [reserved] },
    ...[...counts.entries()]
      .filter(([, count]) => count > 0)
      .map(([symbol, count]) => ({ count, symbols: [symbol] })),
  ];
  const depths = new Map(
    trees.flatMap(({ symbols }) => symbols.map((symbol): [number, number] => [symbol, 0])),
  );
  while (trees.length > 1) {
    const [first, second, ...rest] = trees.toSorted((a, b) => a.count - b.count);
    if (!first || !second) break;
    const symbols = [...first.symbols, ...second.symbols];
    for (const symbol of symbols) depths.set(symbol, (depths.get(symbol) ?? 0) + 1);
    trees = [{ count: first.count + second.count, symbols }, ...rest];
  }
  return depths;
};
