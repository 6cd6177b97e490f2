/** A Huffman table as a file has it: how many codes there are of each length from 1 to 16, and what they stand for. */
export interface HuffmanTable {
  readonly counts: readonly number[];
  readonly values: readonly number[];
}

/** For the first coefficient of a block (T.81, table K.3). */
export const dcTable: HuffmanTable = {
  counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
  values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
};

/** For the other coefficients (T.81, table K.5): 16 times the zeros before one, and how many bits it has. */
export const acTable: HuffmanTable = {
  counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
  values: [
    ...Buffer.from(
      '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738' +
        '393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4' +
        'a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
      'hex',
    ),
  ],
};

/** Stands for sixteen zeros. */
const sixteenZeros = 0xf0;
/** Says that only zeros follow. */
const endOfBlock = 0;

interface Codes {
  readonly code: Uint16Array;
  readonly length: Uint8Array;
}

/** The codes count upwards, and double with each bit of length. */
const codesOf = ({ counts, values }: HuffmanTable): Codes => {
  const codes: Codes = { code: new Uint16Array(256), length: new Uint8Array(256) };
  let [next, place] = [0, 0];
  for (const [index, count] of counts.entries()) {
    for (const value of values.slice(place, place + count)) {
      codes.code[value] = next;
      codes.length[value] = index + 1;
      next += 1;
    }
    place += count;
    next *= 2;
  }
  return codes;
};

const dcCodes = codesOf(dcTable);
const acCodes = codesOf(acTable);

/** Writes the bits of blocks. */
export interface ScanWriter {
  /** A block's coefficients in the order of a file; `before` is the first coefficient of the block before. */
  readonly block: (coefficients: Int16Array, before: number) => void;
  /** One bits up to the next byte, then all that was written. */
  readonly finish: () => Uint8Array;
}

/** Makes an empty writer. */
export const scanWriter = (): ScanWriter => {
  const bytes: number[] = [];
  let pending = 0;
  let count = 0;

  const bits = (value: number, length: number): void => {
    pending = (pending << length) | value;
    count += length;
    while (count >= 8) {
      count -= 8;
      const byte = (pending >> count) & 255;
      bytes.push(byte);
      // A zero follows, or a reader would take the byte for a marker.
      if (byte === 255) bytes.push(0);
    }
    pending &= (1 << count) - 1;
  };
  const symbol = ({ code, length }: Codes, value: number): void => bits(code[value] ?? 0, length[value] ?? 0);
  /** Zeros before it, the length of the coefficient, and its bits: those of a negative one are those of the number below it. */
  const coefficient = (codes: Codes, zeros: number, value: number): void => {
    const length = 32 - Math.clz32(Math.abs(value));
    symbol(codes, zeros * 16 + length);
    bits(value < 0 ? value + (1 << length) - 1 : value, length);
  };

  return {
    block: (coefficients, before) => {
      coefficient(dcCodes, 0, (coefficients[0] ?? 0) - before);
      let zeros = 0;
      for (let place = 1; place < 64; place += 1) {
        const value = coefficients[place] ?? 0;
        if (value === 0) {
          zeros += 1;
          continue;
        }
        for (; zeros >= 16; zeros -= 16) symbol(acCodes, sixteenZeros);
        coefficient(acCodes, zeros, value);
        zeros = 0;
      }
      if (zeros > 0) symbol(acCodes, endOfBlock);
    },
    finish: () => {
      if (count > 0) bits((1 << (8 - count)) - 1, 8 - count);
      return new Uint8Array(bytes);
    },
  };
};
