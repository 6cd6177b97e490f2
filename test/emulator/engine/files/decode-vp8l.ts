import { expect } from 'vitest';

/** Reads bits as the format orders them: the lowest of a byte first. */
const bitReader = (bytes: Uint8Array) => {
  let at = 0;
  const bit = (): number => ((bytes[at >> 3] ?? 0) >> (at++ & 7)) & 1;
  return (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index += 1) value |= bit() << index;
    return value;
  };
};

type ReadBits = ReturnType<typeof bitReader>;

/** Reads one prefix code of the two kinds that are expected here, and gives a reader of its values. */
const readCode = (read: ReadBits): (() => number) => {
  if (read(1) === 1) {
    expect(read(1)).toBe(0);
    const value = read(read(1) === 1 ? 8 : 1);
    return () => value;
  }
  const order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
  const lengths = order.slice(0, 4 + read(4)).map((symbol) => [symbol, read(3)] as const);
  expect(lengths.filter(([, length]) => length > 0)).toEqual([[8, 1]]);
  if (read(1) === 1) expect(read(2 + 2 * read(3)) + 2).toBe(256);
  // Eight bits for each of 256 values: the code of a value is the value, its highest bit first.
  return () => Array.from({ length: 8 }, () => read(1)).reduce((code, bit) => code * 2 + bit, 0);
};

/** Decodes the data of a lossless picture of the emulator. */
export const decodeVp8l = (payload: Uint8Array) => {
  const read = bitReader(payload);
  expect(read(8)).toBe(0x2f);
  const [width, height] = [read(14) + 1, read(14) + 1];
  const hasAlpha = read(1) === 1;
  expect(read(6)).toBe(0);
  const [green, red, blue, alpha] = [readCode(read), readCode(read), readCode(read), readCode(read)];
  readCode(read);
  const data = Array.from({ length: width * height }, () => {
    const [g, r, b, a] = [green(), red(), blue(), alpha()];
    return [r, g, b, a];
  }).flat();
  return { width, height, hasAlpha, data };
};
