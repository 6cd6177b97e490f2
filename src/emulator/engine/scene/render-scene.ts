import { type Colour, mix } from './colour.js';
import { fractal, type Noise, valueNoise } from './noise.js';
import { landPainter } from './paint-land.js';
import type { Scene } from './plan-scene.js';
import { seededRandom } from '../random.js';

/** How a scene becomes pixels. */
export interface RenderOptions {
  readonly width: number;
  readonly height: number;
  /** Levels of detail, 1 to 6. */
  readonly octaves: number;
  /** 1 leaves the colours as they are, less is paler, more is stronger. */
  readonly contrast: number;
}

/** Paints a scene: RGB rows, 0 to 255 in floating point. */
export const renderScene = (
  scene: Scene,
  { width, height, octaves, contrast }: RenderOptions,
): Float32Array => {
  const aspect = width / height;
  const noise = fractal(valueNoise(scene.random), octaves);
  const sky = skyPainter(scene, { noise, aspect });
  const land = landPainter(scene, { noise, aspect, columns: width });
  const samples = new Float32Array(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    const y = (row + 0.5) / height;
    for (let column = 0; column < width; column += 1) {
      const x = (column + 0.5) / width;
      const colour = land(column, y) ?? sky(x, y);
      const shade = 1 - 0.35 * ((x - 0.5) ** 2 + (y - 0.5) ** 2);
      write(samples, (row * width + column) * 3, mix(grey, colour, contrast), shade);
    }
  }
  return samples;
};

const grey: Colour = [118, 118, 118];

const write = (samples: Float32Array, at: number, colour: Colour, shade: number): void => {
  samples[at] = clamp(colour[0] * shade);
  samples[at + 1] = clamp(colour[1] * shade);
  samples[at + 2] = clamp(colour[2] * shade);
};

const clamp = (value: number): number => Math.max(0, Math.min(255, value));

/** Colour of the sky at a point; `x` and `y` are parts of width and height. */
export type SkyPainter = (x: number, y: number) => Colour;

/** Makes the painter of a scene's sky: gradient, stars, sun or moon with its glow, clouds. */
const skyPainter = (
  scene: Scene,
  { noise, aspect }: { readonly noise: Noise; readonly aspect: number },
): SkyPainter => {
  const { sky, disc, horizon, clouds, stars: hasStars } = scene;
  const star = starField(aspect);
  return (x, y) => {
    const depth = Math.min(1, y / horizon);
    const base =
      depth < 0.55
        ? mix(sky.top, sky.middle, depth / 0.55)
        : mix(sky.middle, sky.horizon, (depth - 0.55) / 0.45);
    const distance = Math.hypot((x - disc.x) * aspect, y - disc.y) / disc.radius;
    const starry = hasStars && depth < 0.9 ? mix(base, white, star(x, y) * (1 - depth)) : base;
    const glowing = mix(starry, sky.disc, 0.75 / (1 + distance * distance * 0.35));
    const lit = mix(glowing, sky.disc, edge(1.05 - distance, 0.08));
    const cover = noise(x * aspect * 2.4 + 40, y * 6.5 + 40) - (0.78 - clouds * 0.36);
    return cover > 0 ? mix(lit, sky.cloud, Math.min(0.85, cover * 4.5)) : lit;
  };
};

const white: Colour = [255, 252, 240];

/** The stars of every sky: a place within a cell, and how bright it is. */
const stars = (() => {
  const random = seededRandom(7n, 'stars');
  return Array.from({ length: 4096 }, () => ({ x: random(), y: random(), bright: random() ** 24 }));
})();

/** Few bright points: one in about thirty cells of a fixed grid holds a star. */
const starField =
  (aspect: number): SkyPainterOfLight =>
  (x, y) => {
    const column = Math.floor(x * aspect * 48);
    const row = Math.floor(y * 48);
    const cell = stars[(row * 61 + column) & 4095];
    if (cell === undefined || cell.bright < 0.02) return 0;
    const distance = Math.hypot(x * aspect * 48 - column - cell.x, y * 48 - row - cell.y);
    return Math.max(0, 1 - distance * 5) * (0.4 + cell.bright);
  };

type SkyPainterOfLight = (x: number, y: number) => number;

/** 0 outside, 1 inside, with a soft step of the given width. */
const edge = (inside: number, width: number): number => Math.max(0, Math.min(1, inside / width));
