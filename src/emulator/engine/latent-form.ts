import { claimMemory } from './define.js';
import { emptyLatent, type Latent, type LatentForm } from './values.js';
import { NodeFailure } from './node-class.js';
import type { Tensor } from './files/safetensors.js';

const lengthOf = (shape: readonly number[]): number => shape.at(-1) ?? 1;
const heightOf = (shape: readonly number[]): number =>
  shape.slice(0, -1).reduce((product, edge) => product * edge, 1);

/** A latent without content of a sound or a shape: its grid is a picture of its tensor, as long and as high as that is. */
export const emptyLatentOf = (form: LatentForm, batchSize: number): Latent => {
  const [length, height] = [lengthOf(form.shape), heightOf(form.shape)];
  claimMemory(length * height * batchSize);
  return { ...emptyLatent(length, height, batchSize), form };
};

/** The form of a latent that has to be one of this type; a decoder of another one fails at its first layer. */
export const formOf = ({ form }: Latent, type: LatentForm['type']): LatentForm => {
  if (form?.type === type) return form;
  throw new NodeFailure(
    'RuntimeError',
    `Expected a latent of ${type}, but got one of ${form?.type ?? 'pictures'}.`,
  );
};

/** The numbers of such a latent, one after another: the green of its grid, in this scale. */
export const tensorOfForm = (
  { samples, grid }: Latent,
  { shape }: LatentForm,
  scaled: (value: number) => number,
): Tensor => {
  const [length, height] = [lengthOf(shape), heightOf(shape)];
  const values = new Float32Array(samples.length * length * height);
  for (const [at, sample] of samples.entries())
    for (let row = 0; row < height; row += 1)
      for (let column = 0; column < length; column += 1) {
        const x = Math.floor(((column + 0.5) * grid.width) / length);
        const y = Math.floor(((row + 0.5) * grid.height) / height);
        values[(at * height + row) * length + column] = scaled(sample[(y * grid.width + x) * 3 + 1] ?? 0);
      }
  return { shape: [samples.length, ...shape], values };
};

/** A latent of such numbers. */
export const latentOfTensor = (
  tensor: Tensor,
  type: LatentForm['type'],
  scaled: (value: number) => number,
): Latent => {
  const [count = 0, ...shape] = tensor.shape;
  const [length, height] = [lengthOf(shape), heightOf(shape)];
  const latent = emptyLatentOf({ type, shape }, count);
  const { width, height: rows } = latent.grid;
  const samples = latent.samples.map((empty, at) =>
    empty.map((_, place) => {
      const [x, y] = [Math.floor(place / 3) % width, Math.floor(place / 3 / width)];
      const [column, row] = [
        Math.floor(((x + 0.5) * length) / width),
        Math.floor(((y + 0.5) * height) / rows),
      ];
      return scaled(tensor.values[(at * height + row) * length + column] ?? 0);
    }),
  );
  return { ...latent, samples };
};
