import { decodeLatent, encodeLatent, gridOf, type Latent } from './values.js';
import type { Picture } from './node-class.js';

/** The pictures that a latent stands for, in their full size. */
export const picturesOf = (latent: Latent): readonly Picture[] =>
  latent.samples.map((samples) => decodeLatent(latent, samples));

/** The latent of pictures of one size. */
export const latentOf = (
  pictures: readonly Picture[],
  { width, height }: Pick<Picture, 'width' | 'height'>,
): Latent => ({
  ...{ kind: 'LATENT', width, height, grid: gridOf(width, height) },
  samples: pictures.map(encodeLatent),
});
