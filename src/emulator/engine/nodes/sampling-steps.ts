import { encodeJpeg } from '../files/jpeg.js';
import { fittedMask } from '../mask-shapes.js';
import { type GridSize, type Latent, pictureOf } from '../values.js';
import type { NodeContext, Picture, Preview } from '../node-class.js';
import { resize } from '../resize.js';
import type { Trajectory } from '../sample.js';

/** Reports the steps of a sampler one by one, with previews of the first picture; latents that are no pictures have none. */
export const takeSteps = async (
  context: NodeContext,
  latent: Latent,
  ways: readonly Trajectory[],
  steps: number,
): Promise<void> => {
  for (let step = 1; step <= steps; step += 1)
    await context.step(step, steps, latent.form ? undefined : previewOf(ways, step, latent.grid));
};

/** Each picture of a batch has noise of its own, unless they all begin with the same. */
export const placeOfNoise = ({ hasOneNoise }: Latent, place: number): number =>
  hasOneNoise === true ? 0 : place;

/** Changes samples where the latent's mask holds, and as far as it does. */
export const maskedWay = (latent: Latent, from: Float32Array, way: Trajectory): Trajectory => {
  if (!latent.noiseMask) return way;
  const mask = fittedMask(latent.noiseMask, latent.grid.width, latent.grid.height);
  return (step) =>
    way(step).map((value, at) => {
      const part = (mask[Math.floor(at / 3)] ?? 0) / 255;
      return value * part + (from[at] ?? 0) * (1 - part);
    });
};

/** Encodes lazily, once for all sockets. */
const previewOf = (
  [way]: readonly Trajectory[],
  step: number,
  grid: GridSize,
): (() => Preview) | undefined => {
  let preview: Preview | undefined;
  return (
    way &&
    (() =>
      (preview ??= { mediaType: 'image/jpeg', bytes: encodeJpeg(small(way(step), grid), { quality: 90 }) }))
  );
};

/** At most 256 pixels an edge, for speed. */
const small = (samples: Float32Array, grid: GridSize): Picture => {
  const picture = pictureOf(samples, grid);
  const scale = 256 / Math.max(grid.width, grid.height);
  if (scale >= 1) return picture;
  const size = (edge: number): number => Math.max(1, Math.round(edge * scale));
  return resize(picture, { width: size(grid.width), height: size(grid.height), method: 'area' });
};
