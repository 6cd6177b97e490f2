import { type Colour, mix } from './colour.js';
import { type Noise, ridge } from './noise.js';
import type { Scene } from './plan-scene.js';

/** Colour of the land in a column at a height, or `undefined` if the sky shows. */
export type LandPainter = (column: number, y: number) => Colour | undefined;

/** Makes the painter of a scene's land: ridges that fade with distance, and water, windows or snow on them. */
export const landPainter = (
  scene: Scene,
  { noise, aspect, columns }: { readonly noise: Noise; readonly aspect: number; readonly columns: number },
): LandPainter => {
  const layers = Array.from({ length: scene.layers }, (_, index) =>
    layerOf(scene, index, { aspect, columns }),
  ).reverse();
  const water = scene.land === 'ocean' ? waterPainter(scene, noise, aspect) : undefined;
  return (column, y) => {
    if (water !== undefined && y > scene.horizon) return water((column + 0.5) / columns, y);
    const layer = layers.find(({ edge }) => y > (edge[column] ?? 1));
    if (layer === undefined) return undefined;
    const x = ((column + 0.5) / columns) * aspect;
    const below = y - (layer.edge[column] ?? 1);
    const rough = noise(x * 14 + layer.near * 50, y * 22) - 0.5;
    const shaded = mix(layer.colour, black, Math.max(0, Math.min(0.6, below * 0.9 - rough * 0.4 + 0.05)));
    return decorated(scene, layer, { x, y, below, rough, shaded });
  };
};

interface Layer {
  readonly near: number;
  readonly colour: Colour;
  /** For each column: where the layer begins, counted from the top. */
  readonly edge: Float32Array;
}

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly below: number;
  readonly rough: number;
  readonly shaded: Colour;
}

const black: Colour = [8, 10, 18];
const snow: Colour = [238, 243, 250];
const lamp: Colour = [255, 214, 130];

const layerOf = (
  scene: Scene,
  index: number,
  size: { readonly aspect: number; readonly columns: number },
): Layer => {
  const near = scene.layers === 1 ? 1 : index / (scene.layers - 1);
  const upper = ridge(scene.land, near, scene.random);
  const foot = scene.horizon + near * (1 - scene.horizon) * 0.72;
  return {
    near,
    colour: mix(mix(scene.ground, scene.sky.horizon, 0.62), scene.ground, near),
    edge: Float32Array.from(
      { length: size.columns },
      (_, column) => foot - upper(((column + 0.5) / size.columns) * size.aspect),
    ),
  };
};

/** Snow on high ground, lit windows in a town; elsewhere the land as it is. */
const decorated = (
  { land, sky, horizon }: Scene,
  { near }: Layer,
  { x, y, below, rough, shaded }: Spot,
): Colour => {
  if (land === 'mountains' || land === 'snow') {
    const line = land === 'snow' ? 0.2 : 0.13 * (1 - near);
    const height = (line + rough * 0.2 - below) / 0.05 + Math.min(0, (horizon + 0.2 - y) * 8);
    return mix(shaded, snow, Math.max(0, Math.min(1, height)) * (0.35 + sky.daylight * 0.45));
  }
  if (land !== 'city') return shaded;
  const fine = 90 - near * 50;
  const column = Math.floor(x * fine);
  const row = Math.floor(y * fine);
  const isLit = scatter(column, row) < (sky.daylight < 0.5 ? 0.4 : 0.12);
  const inFrame = x * fine - column > 0.35 && y * fine - row > 0.4 && below > 0.012;
  return isLit && inFrame ? mix(shaded, lamp, 0.85) : shaded;
};

/** A number in [0, 1) that looks random from one cell to the next. */
const scatter = (column: number, row: number): number => {
  const mixed = Math.imul(Math.imul(column, 0x9e3779b1) ^ Math.imul(row + 77, 0x85ebca6b), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 15)) >>> 8) / 0x1_00_0000;
};

/** Ripples that grow towards the viewer, and the light of the sun on them. */
const waterPainter = (scene: Scene, noise: Noise, aspect: number) => {
  const { sky, disc, horizon, ground } = scene;
  return (x: number, y: number): Colour => {
    const depth = (y - horizon) / (1 - horizon);
    const ripple = noise((x * aspect * 6) / (0.25 + depth), 12 / (0.12 + depth)) - 0.5;
    const base = mix(mix(sky.horizon, ground, 0.35 + depth * 0.5), sky.middle, 0.25 + ripple * 0.5);
    const column = Math.abs(x - disc.x + ripple * 0.16) * aspect;
    const glitter = Math.max(0, 1 - column / (0.05 + depth * 0.13)) * Math.max(0, ripple * 2.5 + 0.55);
    return mix(base, sky.disc, Math.min(0.9, glitter));
  };
};
