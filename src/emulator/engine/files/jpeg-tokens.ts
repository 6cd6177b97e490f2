import type { Picture } from '../node-class.js';

/**
 * What is written of a picture, in order, with the counts that make good codes for it.
 *
 * A token is `value << 9 | isDc << 8 | symbol`; the low four bits of the symbol tell how many bits `value` has.
 */
export interface Tokens {
  readonly list: readonly number[];
  readonly dcCounts: Uint32Array;
  readonly acCounts: Uint32Array;
}

/** Transforms and rounds a picture block by block: brightness, then the two colour differences. */
export const tokensOf = (picture: Picture, { luma, chroma }: Quantisers): Tokens => {
  const list: number[] = [];
  const dcCounts = new Uint32Array(256);
  const acCounts = new Uint32Array(256);
  const put = (isDc: boolean, symbol: number, value: number): void => {
    const counts = isDc ? dcCounts : acCounts;
    counts[symbol] = (counts[symbol] ?? 0) + 1;
    list.push((value << 9) | (isDc ? 256 : 0) | symbol);
  };
  const planes = [new Float32Array(64), new Float32Array(64), new Float32Array(64)];
  const coefficients = new Float32Array(64);
  const lastDc = [0, 0, 0];

  const putBlock = (plane: number): void => {
    const steps = plane === 0 ? luma : chroma;
    forwardDct(planes[plane] ?? coefficients, coefficients);
    let zeros = 0;
    zigzag.forEach((place, index) => {
      const level = Math.round((coefficients[place] ?? 0) / (steps[place] ?? 1));
      if (index === 0) {
        putLevel(put, true, 0, level - (lastDc[plane] ?? 0));
        lastDc[plane] = level;
      } else if (level === 0) {
        zeros += 1;
      } else {
        for (; zeros > 15; zeros -= 16) put(false, sixteenZeros, 0);
        putLevel(put, false, zeros, level);
        zeros = 0;
      }
    });
    if (zeros > 0) put(false, endOfBlock, 0);
  };

  for (let top = 0; top < picture.height; top += 8) {
    for (let left = 0; left < picture.width; left += 8) {
      readBlock(picture, left, top, planes);
      planes.forEach((_, plane) => putBlock(plane));
    }
  }
  return { list, dcCounts, acCounts };
};

const endOfBlock = 0x00;
const sixteenZeros = 0xf0;

type Put = (isDc: boolean, symbol: number, value: number) => void;

/** A level is written as its bit length, then its bits; a negative one has them as if one less. */
const putLevel = (put: Put, isDc: boolean, zeros: number, level: number): void => {
  const size = 32 - Math.clz32(Math.abs(level));
  put(isDc, (zeros << 4) | size, level < 0 ? level + (1 << size) - 1 : level);
};

/** Fills the three planes of a block, around zero; beyond the edge the last pixel goes on. */
const readBlock = (
  { width, height, rgb }: Picture,
  left: number,
  top: number,
  planes: readonly Float32Array[],
): void => {
  const [luma, blue, red] = planes;
  if (!luma || !blue || !red) return;
  for (let place = 0; place < 64; place += 1) {
    const x = Math.min(width - 1, left + (place & 7));
    const y = Math.min(height - 1, top + (place >> 3));
    const at = (y * width + x) * 3;
    const r = rgb[at] ?? 0;
    const g = rgb[at + 1] ?? 0;
    const b = rgb[at + 2] ?? 0;
    luma[place] = 0.299 * r + 0.587 * g + 0.114 * b - 128;
    blue[place] = -0.168736 * r - 0.331264 * g + 0.5 * b;
    red[place] = 0.5 * r - 0.418688 * g - 0.081312 * b;
  }
};

/** Transforms a block of 8 × 8 samples into its frequencies, rows first, then columns. */
export const forwardDct = (samples: Float32Array, frequencies: Float32Array): void => {
  for (let y = 0; y < 64; y += 8) {
    for (let u = 0; u < 8; u += 1) {
      let sum = 0;
      for (let x = 0; x < 8; x += 1) sum += (samples[y + x] ?? 0) * (waves[u * 8 + x] ?? 0);
      between[y + u] = sum;
    }
  }
  for (let v = 0; v < 64; v += 8) {
    for (let u = 0; u < 8; u += 1) {
      let sum = 0;
      for (let y = 0; y < 8; y += 1) sum += (between[y * 8 + u] ?? 0) * (waves[v + y] ?? 0);
      frequencies[v + u] = sum;
    }
  }
};

const between = new Float32Array(64);

/** The eight cosine waves, scaled so that the transform keeps lengths. */
const waves = Float32Array.from({ length: 64 }, (_, index) => {
  const frequency = index >> 3;
  const scale = frequency === 0 ? Math.SQRT1_2 / 2 : 0.5;
  return scale * Math.cos(((2 * (index & 7) + 1) * frequency * Math.PI) / 16);
});

/** The steps to which coefficients are rounded, row by row of an 8 × 8 block. */
export interface Quantisers {
  readonly luma: readonly number[];
  readonly chroma: readonly number[];
}

/** Makes the steps for a quality of 1 to 100: the finer a detail, the coarser its step; at 100 all are 1. */
export const quantisers = (quality: number): Quantisers => {
  const scale = quality < 50 ? 50 / Math.max(1, quality) : 2 - Math.min(100, quality) / 50;
  const table = (base: number, slope: number): readonly number[] =>
    places.map((place) => Math.max(1, Math.min(255, Math.round((base + slope * frequency(place)) * scale))));
  return { luma: table(9, 7), chroma: table(13, 10) };
};

const places: readonly number[] = Array.from({ length: 64 }, (_, place) => place);

const frequency = (place: number): number => (place >> 3) + (place & 7);

/** Places of a block in the order in which they are written: by diagonals, every other one upwards. */
export const zigzag: readonly number[] = places.toSorted(
  (a, b) => frequency(a) - frequency(b) || (frequency(a) % 2 === 0 ? b - a : a - b),
);
