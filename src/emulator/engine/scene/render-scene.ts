import { mix, type Colour } from './colour.js';
import { fractal, valueNoise } from './noise.js';
import { landPainter } from './paint-land.js';
import type { Scene } from './plan-scene.js';
import { skyPainter } from './paint-sky.js';

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
