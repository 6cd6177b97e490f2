import type { Picture } from './node-class.js';

/** What travels along an `IMAGE` link: a batch of pictures. */
export type ImageBatch = readonly Picture[];

/** What travels along a `MASK` link: one byte a pixel, 255 where the mask holds. */
export interface Mask {
  readonly kind: 'MASK';
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** What travels along a `LATENT` link: a batch of small pictures in floating point that stand for larger ones. */
export interface Latent {
  readonly kind: 'LATENT';
  /** Size of the picture that it decodes to. */
  readonly width: number;
  readonly height: number;
  readonly grid: GridSize;
  /** One array for each picture of the batch: RGB rows of the grid, 0 to 255. */
  readonly samples: readonly Float32Array[];
}

/** Size of the grid on which a latent is kept; its longest edge is at most 512. */
export interface GridSize {
  readonly width: number;
  readonly height: number;
}

/** What travels along a `CONDITIONING` link. */
export interface Conditioning {
  readonly kind: 'CONDITIONING';
  readonly text: string;
}

/** What a checkpoint loader hands out; the parts of one checkpoint carry its name. */
export interface ModelPart {
  readonly kind: 'MODEL' | 'CLIP' | 'VAE';
  readonly checkpoint: string;
}

/** What travels along a `VIDEO` link: pictures and how fast they follow one another. */
export interface Video {
  readonly kind: 'VIDEO';
  readonly frames: ImageBatch;
  readonly framesPerSecond: number;
}

/** What travels along an `AUDIO` link: a track a channel, -1 to 1. */
export interface Audio {
  readonly kind: 'AUDIO';
  readonly sampleRate: number;
  readonly channels: readonly Float32Array[];
}
