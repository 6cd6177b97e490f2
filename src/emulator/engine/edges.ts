import { bell, convolved } from './kernels.js';
import type { Picture } from './node-class.js';

/** The thresholds of {@link cannyEdges}, of gradients of values from 0 to 1. */
export interface Thresholds {
  /** A gradient below is no edge. */
  readonly low: number;
  /** A gradient above is an edge; one between is where it touches an edge. */
  readonly high: number;
}

/** Where the edges of a picture are, by Canny's method: blurred, the steepest places of each slope, and what they touch; 255 on an edge. */
export const cannyEdges = (picture: Picture, { low, high }: Thresholds): Uint8Array => {
  const { width, height } = picture;
  const ridges = steepest(gradientsOf(picture), width, height);
  const edges = Uint8Array.from(ridges, (value) => (value > high ? 255 : 0));
  const open = [...edges.keys()].filter((place) => edges[place] === 255);
  for (let place = open.pop(); place !== undefined; place = open.pop())
    for (const [dx, dy] of around) {
      const x: number = (place % width) + dx;
      const y: number = Math.floor(place / width) + dy;
      const next: number = y * width + x;
      if (x < 0 || y < 0 || x >= width || y >= height || edges[next] === 255) continue;
      if ((ridges[next] ?? 0) <= low) continue;
      edges[next] = 255;
      open.push(next);
    }
  return edges;
};

interface Gradients {
  readonly steepness: Float64Array;
  /** The eighth of the circle into which the slope points, from 0, to the right, clockwise. */
  readonly eighths: Uint8Array;
}

const gradientsOf = (picture: Picture): Gradients => {
  const { width, height } = picture;
  const grey = greyOf(picture);
  const at = (x: number, y: number): number => grey[(clamp(y, height) * width + clamp(x, width)) * 3] ?? 0;
  const steepness = new Float64Array(width * height);
  const eighths = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const slope = (dx: number, dy: number): number =>
        at(x + dx + dy, y + dy + dx) + 2 * at(x + dx, y + dy) + at(x + dx - dy, y + dy - dx);
      const [gx, gy] = [slope(1, 0) - slope(-1, 0), slope(0, 1) - slope(0, -1)];
      steepness[y * width + x] = Math.hypot(gx, gy);
      eighths[y * width + x] = (Math.round(Math.atan2(gy, gx) / (Math.PI / 4)) + 8) % 8;
    }
  return { steepness, eighths };
};

/** The blurred grey of each pixel, from 0 to 1, in three channels. */
const greyOf = ({ width, height, rgb }: Picture): Float64Array => {
  const grey = Float64Array.from(rgb, (_, at) => {
    const pixel = at - (at % 3);
    const [red = 0, green = 0, blue = 0] = rgb.subarray(pixel, pixel + 3);
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
  });
  return convolved(grey, { width, height }, bell(2, 0.5)); // a deviation of one pixel
};

/** Leaves out what is no steeper than both neighbours along the slope. */
const steepest = ({ steepness, eighths }: Gradients, width: number, height: number): Float64Array =>
  steepness.map((value, place) => {
    const [dx, dy] = around[eighths[place] ?? 0] ?? [0, 0];
    const neighbour = (side: number): number => {
      const [x, y] = [(place % width) + side * dx, Math.floor(place / width) + side * dy];
      return x < 0 || y < 0 || x >= width || y >= height ? 0 : (steepness[y * width + x] ?? 0);
    };
    return value > neighbour(1) && value > neighbour(-1) ? value : 0;
  });

const around = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;

const clamp = (place: number, size: number): number => Math.max(0, Math.min(size - 1, place));
