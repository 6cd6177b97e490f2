import type { Random } from '../random.js';

/** A smooth field over the plane, 0 to 1; `x` and `y` count in its own cells. */
export type Noise = (x: number, y: number) => number;

/** Makes smooth value noise on a lattice of 256 × 256 cells that repeats. */
export const valueNoise = (random: Random): Noise => {
  const lattice = Float32Array.from({ length: 65_536 }, random);
  const at = (x: number, y: number): number => lattice[((y & 255) << 8) | (x & 255)] ?? 0;
  return (x, y) => {
    const column = Math.floor(x);
    const row = Math.floor(y);
    const across = smooth(x - column);
    const down = smooth(y - row);
    const top = at(column, row) * (1 - across) + at(column + 1, row) * across;
    const bottom = at(column, row + 1) * (1 - across) + at(column + 1, row + 1) * across;
    return top * (1 - down) + bottom * down;
  };
};

/** Adds finer and finer copies of a noise: each twice as fine and half as strong as the one before. */
export const fractal =
  (noise: Noise, octaves: number): Noise =>
  (x, y) => {
    let sum = 0;
    let total = 0;
    for (let octave = 0, scale = 1, strength = 1; octave < octaves; octave += 1, scale *= 2, strength /= 2) {
      sum += noise(x * scale + octave * 37, y * scale + octave * 17) * strength;
      total += strength;
    }
    return sum / total;
  };

const smooth = (t: number): number => t * t * (3 - 2 * t);
