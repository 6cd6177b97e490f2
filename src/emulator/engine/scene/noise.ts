import type { Land } from './colour.js';
import type { Random } from '../random.js';

/** A smooth field over the plane, 0 to 1; `x` and `y` count in its own cells. */
export type Noise = (x: number, y: number) => number;

/** Makes smooth value noise on a lattice of 64 × 64 cells that repeats. */
export const valueNoise = (random: Random): Noise => {
  const lattice = new Float32Array(4096);
  for (let at = 0; at < lattice.length; at += 1) lattice[at] = random();
  const at = (x: number, y: number): number => lattice[((y & 63) << 6) | (x & 63)] ?? 0;
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

/** One layer of land: its upper edge for each `x` (in parts of the height, from its foot upwards). */
export type Ridge = (x: number) => number;

/** Makes the upper edge of a layer; `near` grows from 0 (the farthest) to 1. */
export const ridge = (land: Land, near: number, random: Random): Ridge => {
  const noise = valueNoise(random);
  const offset = random() * 200;
  return edges[land](noise, offset, near);
};

type Edge = (noise: Noise, offset: number, near: number) => Ridge;

const rolling: Edge = (noise, offset, near) => {
  const soft = fractal(noise, 3);
  return (x) => soft(x * (1.6 + near) + offset, 3.5) * (0.26 - near * 0.08);
};

const peaks: Edge = (noise, offset, near) => {
  const rough = fractal(noise, 6);
  return (x) => (1 - Math.abs(rough(x * (2.2 + near * 2) + offset, 7.5) * 2 - 1)) ** 2 * (0.42 - near * 0.22);
};

/** Firs: saw teeth of uneven height on rolling ground. */
const firs: Edge = (noise, offset, near) => {
  const ground = rolling(noise, offset, near);
  const perWidth = 46 - near * 30;
  return (x) => {
    const tree = Math.floor(x * perWidth);
    const tall = (0.05 + near * 0.11) * (0.45 + noise(tree * 0.77 + offset, 11.5));
    const slope = 1 - Math.abs((x * perWidth - tree) * 2 - 1);
    return ground(x) + tall * slope * (0.9 + 0.1 * Math.cos(slope * 28));
  };
};

/** Blocks with flat roofs. */
const roofs: Edge = (noise, offset, near) => {
  const perWidth = 24 - near * 14;
  return (x) => {
    const block = Math.floor(x * perWidth + offset);
    return (0.05 + noise(block * 0.91, 5.5) ** 2 * 0.42) * (1 - near * 0.45);
  };
};

const dunes: Edge = (noise, offset, near) => (x) => {
  const wave = noise(x * (1.4 + near) + offset, 2.5);
  return Math.max(0, wave < 0.5 ? wave : 0.5 - (wave - 0.5) * 1.6) * (0.26 - near * 0.06);
};

const islands: Edge = (noise, offset, near) => {
  const rough = fractal(noise, 4);
  return (x) => Math.max(0, rough(x * 2.4 + offset, 9.5) - 0.52) * (near < 0.3 ? 0.9 : 0);
};

const edges: Readonly<Record<Land, Edge>> = {
  hills: rolling,
  mountains: peaks,
  forest: firs,
  ocean: islands,
  city: roofs,
  desert: dunes,
  snow: peaks,
};
