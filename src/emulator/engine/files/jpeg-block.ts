/** The places of a block's 64 coefficients in the order of a file: from coarse to fine, along the diagonals. */
export const zigzag: readonly number[] = Array.from({ length: 64 }, (_, place) => place).sort((a, b) => {
  const diagonal = (place: number): number => (place >> 3) + (place & 7);
  const isUpwards = diagonal(a) % 2 === 0;
  return diagonal(a) - diagonal(b) || (isUpwards ? b - a : a - b);
});

/** The steps of quality 50 (T.81, table K.1), row by row. */
const halfQuality = [
  ...[16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55],
  ...[14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62],
  ...[18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92],
  ...[49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99],
];

/** The step to which each coefficient is rounded, row by row, as usual encoders derive it from a quality of 1 to 100. */
export const stepsOf = (quality: number): readonly number[] => {
  const percent = quality < 50 ? 5000 / quality : 200 - quality * 2;
  return halfQuality.map((step) => Math.max(1, Math.min(255, Math.floor((step * percent + 50) / 100))));
};

/** `cosines[8 * k + n]`: what sample n gives to frequency k of a row or column of eight. */
const cosines = Float64Array.from({ length: 64 }, (_, place) => {
  const frequency = place >> 3;
  return (
    (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * (place & 7) + 1) * frequency * Math.PI) / 16)
  );
});

/** The coefficients (discrete cosine transform) of 64 samples around zero, in steps and in the order of a file. */
export const quantized = (samples: Float64Array, steps: readonly number[]): Int16Array => {
  const coefficients = transformed(transformed(samples));
  const block = new Int16Array(64);
  for (let at = 0; at < 64; at += 1) {
    const place = zigzag[at] ?? 0;
    block[at] = Math.round((coefficients[place] ?? 0) / (steps[place] ?? 1));
  }
  return block;
};

/** Transforms each row and writes it as a column, so that twice is both ways. */
const transformed = (samples: Float64Array): Float64Array => {
  const result = new Float64Array(64);
  for (let row = 0; row < 8; row += 1) {
    for (let frequency = 0; frequency < 8; frequency += 1) {
      let sum = 0;
      for (let n = 0; n < 8; n += 1) sum += (samples[row * 8 + n] ?? 0) * (cosines[frequency * 8 + n] ?? 0);
      result[frequency * 8 + row] = sum;
    }
  }
  return result;
};
