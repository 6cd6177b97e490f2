import { composite } from '../composite.js';
import { cut } from '../resize.js';
import type { Latent } from '../values.js';
import { latentOf, picturesOf } from '../latent-pictures.js';
import { type NodeClass, NodeFailure, type Picture } from '../node-class.js';
import { nodeOf, oneOf, pixels } from './node-of.js';
import { pasted, plain } from '../picture-shapes.js';
import { type Inputs, read } from '../read.js';

const older = { outputs: [{ type: 'LATENT' }] } as const;
const newer = { ...older, style: 'new', pythonModule: 'comfy_extras.nodes_latent' } as const;

/** A place of a latent stands for a square of so many pixels an edge. */
const block = 8;

const composed = (inputs: Inputs): Latent => {
  const [to, from] = [read.latent(inputs, 'destination'), read.latent(inputs, 'source')];
  const over = picturesOf(from);
  const at = (name: string): number => Math.floor(read.number(inputs, name) / block) * block;
  const hasMask = inputs['mask'] !== undefined && inputs['mask'] !== null;
  const options = {
    ...{ left: at('x'), top: at('y'), resizes: read.flag(inputs, 'resize_source', false) },
    mask: hasMask ? read.mask(inputs, 'mask') : undefined,
  };
  const pictures = picturesOf(to).map((under, index) =>
    composite(under, over[index % over.length] ?? under, options),
  );
  return { ...to, ...latentOf(pictures, to) };
};

const beside = (first: Picture, second: Picture, isAcross: boolean): Picture => {
  const [width, height] = isAcross
    ? [first.width + second.width, first.height]
    : [first.width, first.height + second.height];
  const withFirst = pasted(plain(width, height, [0, 0, 0]), first, 0, 0);
  return isAcross ? pasted(withFirst, second, first.width, 0) : pasted(withFirst, second, 0, first.height);
};

/** Joins two latents at an edge, of which the second is repeated as a batch; in time, its frames follow the others. */
const joined = (inputs: Inputs): Latent => {
  const [one, other] = [read.latent(inputs, 'samples1'), read.latent(inputs, 'samples2')];
  const dim = read.text(inputs, 'dim');
  const axis = dim.replace('-', '');
  const fits = {
    width: axis === 'x' || one.width === other.width,
    height: axis === 'y' || one.height === other.height,
  };
  if (!fits.width || !fits.height)
    throw new NodeFailure(
      'RuntimeError',
      'Sizes of tensors must match except in the dimension that is joined.',
    );
  const isFirst = !dim.startsWith('-');
  if (axis === 't') {
    const [first, second] = isFirst ? [one, other] : [other, one];
    return { ...one, samples: [...first.samples, ...second.samples] };
  }
  const others = picturesOf(other);
  const pictures = picturesOf(one).map((picture, at) => {
    const second = others[at % others.length] ?? picture;
    return isFirst ? beside(picture, second, axis === 'x') : beside(second, picture, axis === 'x');
  });
  return { ...one, ...latentOf(pictures, pictures[0] ?? one) };
};

/** What is left of a length from an index on, which counts from the end where it is negative. */
const stretch = (length: number, index: number, amount: number): readonly [first: number, count: number] => {
  if (index >= 0) {
    const first = Math.min(index, length - 1);
    return [first, Math.min(length - first, amount)];
  }
  const back = Math.min(-index, length);
  return [length - back, Math.min(back, amount)];
};

const taken = (inputs: Inputs): Latent => {
  const latent = read.latent(inputs, 'samples');
  const [dim, index, amount] = [
    read.text(inputs, 'dim'),
    read.number(inputs, 'index'),
    read.number(inputs, 'amount'),
  ];
  if (dim === 't') {
    const [first, count] = stretch(latent.samples.length, index, amount);
    return { ...latent, samples: latent.samples.slice(first, first + count) };
  }
  const length = dim === 'x' ? latent.width : latent.height;
  const [first, count] = stretch(Math.max(1, Math.floor(length / block)), index, amount);
  const [start, size] = [first * block, Math.min(length, count * block)];
  const rectangle =
    dim === 'x'
      ? { left: start, top: 0, width: size, height: latent.height }
      : { left: 0, top: start, width: latent.width, height: size };
  return {
    ...latent,
    ...latentOf(
      picturesOf(latent).map((picture) => cut(picture, rectangle)),
      rectangle,
    ),
  };
};

/**
 * The engine's classes that join and cut latents, and say where a sampler changes them.
 *
 * Frames of a film are the pictures of a batch here, so `t` joins and cuts batches, where an engine has a dimension of its own for them.
 */
export const latentRegions: readonly NodeClass[] = [
  nodeOf(
    {
      ...{
        ...older,
        name: 'LatentCompositeMasked',
        pythonModule: 'comfy_extras.nodes_mask',
        category: 'latent',
      },
      required: {
        ...{ destination: ['LATENT'], source: ['LATENT'], x: pixels(0, 0, 8), y: pixels(0, 0, 8) },
        resize_source: ['BOOLEAN', { default: false }],
      },
      optional: { mask: ['MASK'] },
    },
    (inputs) => [composed(inputs)],
  ),
  nodeOf(
    {
      ...{ ...newer, name: 'LatentConcat', category: 'latent/advanced' },
      required: {
        ...{ samples1: ['LATENT', {}], samples2: ['LATENT', {}] },
        dim: oneOf('x', '-x', 'y', '-y', 't', '-t'),
      },
    },
    (inputs) => [joined(inputs)],
  ),
  nodeOf(
    {
      ...{ ...newer, name: 'LatentCut', category: 'latent/advanced' },
      required: {
        ...{ samples: ['LATENT', {}], dim: oneOf('x', 'y', 't') },
        index: ['INT', { default: 0, min: -16_384, max: 16_384, step: 1 }],
        amount: ['INT', { default: 1, min: 1, max: 16_384, step: 1 }],
      },
    },
    (inputs) => [taken(inputs)],
  ),
];
