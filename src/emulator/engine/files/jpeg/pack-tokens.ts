import type { HuffmanCode } from './huffman-code.js';

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
