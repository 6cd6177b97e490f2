import { claimMemory } from '../define.js';
import { cut, resize } from '../resize.js';
import type { Latent } from '../values.js';
import { latentOf, picturesOf } from '../latent-pictures.js';
import type { InputSpec, NodeClass, Picture } from '../node-class.js';
import { mirrored, pasted, turned } from '../picture-shapes.js';
import { nodeOf, pixels } from './node-of.js';
import { type Inputs, read } from '../read.js';

const common = { category: 'latent/transform', outputs: [{ type: 'LATENT' }] } as const;

/** Edges of a latent are counted in blocks of eight pixels. */
const block = 8;

/** The latent of pictures that are changed one by one, all in the same way. */
const changed = (inputs: Inputs, change: (picture: Picture) => Picture): readonly Latent[] => {
  const latent = read.latent(inputs, 'samples');
  const pictures = picturesOf(latent).map(change);
  return [{ ...latent, ...latentOf(pictures, pictures[0] ?? latent) }];
};

/** Brings a latent to a size of whole blocks. */
const sized = (inputs: Inputs, width: number, height: number): readonly Latent[] => {
  const size = { width: Math.max(block, width), height: Math.max(block, height) };
  claimMemory(size.width * size.height);
  const crop = read.text(inputs, 'crop', 'disabled');
  const method = read.text(inputs, 'upscale_method');
  return changed(inputs, (picture) => resize(picture, { ...size, method, crop }));
};

const blocks = (length: number): number => Math.floor(length / block) * block;

const upscaled = (inputs: Inputs): readonly Latent[] => {
  const latent = read.latent(inputs, 'samples');
  const [width, height] = [read.number(inputs, 'width'), read.number(inputs, 'height')];
  if (width === 0 && height === 0) return [latent];
  const ratio = latent.width / latent.height;
  const [wide, tall] = [
    width === 0 ? Math.max(64, Math.round(Math.max(64, height) * ratio)) : Math.max(64, width),
    height === 0 ? Math.max(64, Math.round(Math.max(64, width) / ratio)) : Math.max(64, height),
  ];
  return sized(inputs, blocks(wide), blocks(tall));
};

const cropped = (inputs: Inputs): readonly Latent[] => {
  const latent = read.latent(inputs, 'samples');
  const of = (name: string): number => blocks(read.number(inputs, name));
  // At least eight blocks are left of each edge.
  const left = Math.max(0, Math.min(of('x'), latent.width - 64));
  const top = Math.max(0, Math.min(of('y'), latent.height - 64));
  const width = Math.min(of('width'), latent.width - left);
  const height = Math.min(of('height'), latent.height - top);
  return changed(inputs, (picture) => cut(picture, { left, top, width, height }));
};

const composed = (inputs: Inputs): readonly Latent[] => {
  const [to, from] = [read.latent(inputs, 'samples_to'), read.latent(inputs, 'samples_from')];
  const [left, top] = [blocks(read.number(inputs, 'x')), blocks(read.number(inputs, 'y'))];
  const feather = Math.floor(read.number(inputs, 'feather') / block);
  const over = picturesOf(from);
  const pictures = picturesOf(to).map((picture, at) => {
    const given = over[at] ?? over.at(-1) ?? picture;
    const hard = pasted(picture, given, left, top);
    return feather === 0 ? hard : feathered(picture, hard, { left, top, feather, given });
  });
  return [{ ...to, ...latentOf(pictures, to) }];
};

interface Feathering {
  readonly left: number;
  readonly top: number;
  readonly feather: number;
  readonly given: Picture;
}

/** Fades in from those edges that lie inside, block by block. */
const feathered = (under: Picture, over: Picture, { left, top, feather, given }: Feathering): Picture => {
  const { width, height } = under;
  const [right, bottom] = [Math.min(left + given.width, width), Math.min(top + given.height, height)];
  const edge = (distance: number, isInside: boolean): number =>
    isInside ? Math.min(1, (Math.floor(distance / block) + 1) / feather) : 1;
  const rgb = under.rgb.slice();
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      const part =
        edge(y - top, top !== 0) *
        edge(bottom - 1 - y, top + given.height < height) *
        edge(x - left, left !== 0) *
        edge(right - 1 - x, left + given.width < width);
      for (let at = (y * width + x) * 3; at < (y * width + x) * 3 + 3; at += 1)
        rgb[at] = Math.round((over.rgb[at] ?? 0) * part + (under.rgb[at] ?? 0) * (1 - part));
    }
  return { width, height, rgb };
};

const methods: InputSpec = [['nearest-exact', 'bilinear', 'area', 'bicubic', 'bislerp']];
const turns: readonly string[] = ['none', '90 degrees', '180 degrees', '270 degrees'];

/** The engine's classes that turn, cut, scale and join latents. */
export const latentShapes: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...common, name: 'LatentFlip', title: 'Flip Latent' },
      required: { samples: ['LATENT'], flip_method: [['x-axis: vertically', 'y-axis: horizontally']] },
    },
    (inputs) => {
      const upsideDown = read.text(inputs, 'flip_method').startsWith('x');
      return changed(inputs, (picture) => mirrored(picture, upsideDown));
    },
  ),
  nodeOf(
    {
      ...{ ...common, name: 'LatentRotate', title: 'Rotate Latent' },
      required: { samples: ['LATENT'], rotation: [turns] },
    },
    (inputs) => {
      const count = Math.max(0, turns.indexOf(read.text(inputs, 'rotation')));
      return changed(inputs, (picture) => {
        let result = picture;
        for (let turn = 0; turn < count; turn += 1) result = turned(result);
        return result;
      });
    },
  ),
  nodeOf(
    {
      ...{ ...common, name: 'LatentCrop', title: 'Crop Latent' },
      required: {
        ...{ samples: ['LATENT'], width: pixels(512, 64, 8), height: pixels(512, 64, 8) },
        ...{ x: pixels(0, 0, 8), y: pixels(0, 0, 8) },
      },
    },
    cropped,
  ),
  nodeOf(
    {
      ...{ ...common, name: 'LatentUpscale', title: 'Upscale Latent', category: 'latent' },
      required: {
        ...{
          samples: ['LATENT'],
          upscale_method: methods,
          width: pixels(512, 0, 8),
          height: pixels(512, 0, 8),
        },
        crop: [['disabled', 'center']],
      },
    },
    upscaled,
  ),
  nodeOf(
    {
      ...{ ...common, name: 'LatentUpscaleBy', title: 'Upscale Latent By', category: 'latent' },
      required: {
        samples: ['LATENT'],
        upscale_method: methods,
        scale_by: ['FLOAT', { default: 1.5, min: 0.01, max: 8, step: 0.01 }],
      },
    },
    (inputs) => {
      const { width, height } = read.latent(inputs, 'samples');
      const factor = read.number(inputs, 'scale_by');
      const scaled = (length: number): number => Math.round((length / block) * factor) * block;
      return sized(inputs, scaled(width), scaled(height));
    },
  ),
  nodeOf(
    {
      ...{ ...common, name: 'LatentComposite', title: 'Latent Composite', category: 'latent' },
      required: {
        ...{ samples_to: ['LATENT'], samples_from: ['LATENT'], x: pixels(0, 0, 8), y: pixels(0, 0, 8) },
        feather: pixels(0, 0, 8),
      },
    },
    composed,
  ),
];
