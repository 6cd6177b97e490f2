import type { Picture } from '../node-class.js';
import { huffmanCode, type HuffmanCode } from './jpeg/huffman-code.js';
import { packTokens } from './jpeg/pack-tokens.js';
import { quantisers, zigzag, type Quantisers } from './jpeg/quantisers.js';
import { tokensOf } from './jpeg/tokens.js';

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
