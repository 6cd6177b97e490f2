import type { GridSize } from './values.js';

/** The weights of a square around a place, row by row; its edge is `2 * radius + 1`. */
export interface Kernel {
  readonly radius: number;
  readonly weights: readonly number[];
}

/** A bell over a square whose edges are at -1 and 1, of sum 1. */
export const bell = (radius: number, sigma: number): Kernel => {
  const size = 2 * radius + 1;
  const at = (index: number): number => -1 + (2 * index) / (size - 1);
  const raw = Array.from({ length: size * size }, (_, index) => {
    const [x, y] = [at(index % size), at(Math.floor(index / size))];
    return Math.exp(-(x * x + y * y) / (2 * sigma * sigma));
  });
  const sum = raw.reduce((total, value) => total + value, 0);
  return { radius, weights: raw.map((value) => value / sum) };
};

/** Takes ten times `alpha` of what a bell blurs away, and gives it to the middle; of sum 1. */
export const sharpening = (radius: number, sigma: number, alpha: number): Kernel => {
  const taken = bell(radius, sigma).weights.map((value) => -value * alpha * 10);
  const sum = taken.reduce((total, value) => total + value, 0);
  const middle = (taken.length - 1) / 2;
  return { radius, weights: taken.map((value, at) => (at === middle ? value - sum + 1 : value)) };
};

/** Like a mirror at the edge, whose own row is not repeated. */
const reflected = (at: number, size: number): number => {
  if (size === 1) return 0;
  const period = 2 * (size - 1);
  const within = ((at % period) + period) % period;
  return within < size ? within : period - within;
};

/** Weighs what is around each place of three channels, row by row. */
export const convolved = (
  values: ArrayLike<number>,
  { width, height }: GridSize,
  { radius, weights }: Kernel,
): Float64Array => {
  const size = 2 * radius + 1;
  const result = new Float64Array(values.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0;
        for (let dy = -radius; dy <= radius; dy += 1) {
          const row = reflected(y + dy, height) * width;
          for (let dx = -radius; dx <= radius; dx += 1) {
            const weight = weights[(dy + radius) * size + dx + radius] ?? 0;
            sum += weight * (values[(row + reflected(x + dx, width)) * 3 + channel] ?? 0);
          }
        }
        result[(y * width + x) * 3 + channel] = sum;
      }
  return result;
};
