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
