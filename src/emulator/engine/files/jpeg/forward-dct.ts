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
