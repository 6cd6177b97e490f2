import { NodeFailure, type Picture, type Value } from './node-class.js';
import { resize } from './resize.js';

/** The value of an output of type `IMAGE`: a batch of pictures. */
export type ImageBatch = readonly Picture[];

/** The value of an output of type `MASK`: one byte a pixel, 255 where the mask holds. */
export interface Mask {
  readonly kind: 'MASK';
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** The value of an output of type `LATENT`: a batch of small pictures in floating point that stand for larger ones. */
export interface Latent {
  readonly kind: 'LATENT';
  /** Size of the picture that it decodes to. */
  readonly width: number;
  readonly height: number;
  readonly grid: GridSize;
  /** One array for each picture of the batch: RGB rows of the grid, 0 to 255. */
  readonly samples: readonly Float32Array[];
  /** Where a sampler changes it; everywhere without. */
  readonly noiseMask?: Mask;
  /** Whether a sampler begins with the same noise for each picture of the batch. */
  readonly hasOneNoise?: boolean;
  /** What it stands for, where that is no picture. */
  readonly form?: LatentForm;
  /** By samples with noise left, what their sampler was on its way to: one that adds no noise goes on to it. */
  readonly goals?: ReadonlyMap<Float32Array, Float32Array> | undefined;
}

/** A latent of sound or of a shape in space. */
export interface LatentForm {
  readonly type: 'audio' | 'hunyuan3dv2';
  /** The edges of the tensor of one of the batch. */
  readonly shape: readonly number[];
}

/** The value of an output of type `LATENT_OPERATION`: what is done to the samples of one picture. */
export interface LatentOperation {
  readonly kind: 'LATENT_OPERATION';
  readonly apply: (samples: Float32Array, grid: GridSize) => Float32Array;
}

/** The value of an output of type `SIGMAS`: how much noise there is at each step of a sampler. */
export interface Sigmas {
  readonly kind: 'SIGMAS';
  readonly values: Float32Array;
  /** The level at which nothing but noise is left, for the models that the schedule is made for; {@link fullNoise} without it. */
  readonly full?: number;
}

/** The level of noise from which models of the first releases begin. */
export const fullNoise = 14.614_642;

/** Size of the grid on which a latent is kept; its longest edge is at most 512. */
export interface GridSize {
  readonly width: number;
  readonly height: number;
}

/** The value of an output of type `CONDITIONING`. */
export interface Conditioning {
  readonly kind: 'CONDITIONING';
  readonly text: string;
  /** How many pictures at the end of a film's latent guide the others. */
  readonly guides?: number;
}

/** What a checkpoint loader hands out; the parts of one checkpoint carry its name. */
export interface ModelPart {
  readonly kind: 'MODEL' | 'CLIP' | 'VAE';
  readonly checkpoint: string;
}

/** The value of an output of type `VIDEO`: its parts, or a file that is decoded when they are wanted. */
export interface Video {
  readonly kind: 'VIDEO';
  readonly parts: () => Promise<VideoParts>;
  /** The file that it comes from. */
  readonly file?: { readonly bytes: Uint8Array; readonly name: string };
}

/** Pictures, how fast they follow one another, and the sound to them. */
export interface VideoParts {
  readonly frames: ImageBatch;
  readonly framesPerSecond: number;
  readonly audio?: Audio;
}

/** The value of an output of type `SVG`: the texts of some documents. */
export interface Svg {
  readonly kind: 'SVG';
  readonly documents: readonly string[];
}

/** The value of an output of type `AUDIO`: a track a channel, -1 to 1. */
export interface Audio {
  readonly kind: 'AUDIO';
  readonly sampleRate: number;
  readonly channels: readonly Float32Array[];
}

/** The value of an output that is a list: what takes it runs once for each member. */
export interface ValueList {
  readonly kind: 'LIST';
  readonly items: readonly Value[];
}

/** Says whether a value is a list for several runs. */
export const isList = (value: Value): value is ValueList =>
  typeof value === 'object' && value !== null && (value as Partial<ValueList>).kind === 'LIST';

/** The grid on which a picture of this size is sampled: the same size up to 512 pixels an edge, smaller above. */
export const gridOf = (width: number, height: number): GridSize => {
  const scale = Math.min(1, 512 / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

/** A latent without content: even grey. */
export const emptyLatent = (width: number, height: number, batchSize: number): Latent => {
  const grid = gridOf(width, height);
  const grey = new Float32Array(grid.width * grid.height * 3).fill(127.5);
  return { kind: 'LATENT', width, height, grid, samples: Array.from({ length: batchSize }, () => grey) };
};

/** Turns samples of a grid into a picture of the grid's size. */
export const pictureOf = (samples: Float32Array, { width, height }: GridSize): Picture => {
  // A clamped array rounds as it is filled, which is much faster than a mapping function.
  const { buffer } = new Uint8ClampedArray(samples);
  return { width, height, rgb: new Uint8Array(buffer) };
};

/** Decodes one sample of a latent at its full size; one of a sound or a shape fails. */
export const decodeLatent = ({ width, height, grid, form }: Latent, samples: Float32Array): Picture => {
  if (form)
    throw new NodeFailure(
      'RuntimeError',
      `Expected the latent of a picture, but got one of shape [${form.shape.join(', ')}].`,
    );
  const picture = pictureOf(samples, grid);
  return grid.width === width && grid.height === height ? picture : resize(picture, { width, height });
};

/** Encodes a picture as the samples of a latent. */
export const encodeLatent = (picture: Picture): Float32Array => {
  const grid = gridOf(picture.width, picture.height);
  const small =
    grid.width === picture.width && grid.height === picture.height ? picture : resize(picture, grid);
  return new Float32Array(small.rgb);
};
