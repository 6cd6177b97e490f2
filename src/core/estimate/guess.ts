/** What is supposed of a node class before any of its nodes was measured. */
export interface Guess {
  /** Milliseconds, for each unit. */
  readonly ms: number;
  /** The unit: a picture of a megapixel, a step over such a picture, or a node, which loads a model or not. */
  readonly per: 'picture' | 'step' | 'node' | 'load';
}

/** The first line that a class matches counts. */
const guesses: readonly (readonly [classes: RegExp, ms: number, per: Guess['per']])[] = [
  // Known to be instant: texts, numbers, options of samplers, and what cuts, scales or stacks pictures.
  [
    /^(?:CLIP(?:Text|Set)|Empty|ModelSampling|Primitive|RandomNoise|Latent|Mask|LoadImage|PreviewImage)/u,
    0,
    'node',
  ],
  [/^Image(?:Scale|Crop|Batch|Invert)|(?:Select|Scheduler|Guider|Guidance|Conditioning)$/u, 0, 'node'],
  [/(?:Checkpoint|UNET|CLIP|Diffusion).*Load/iu, 6000, 'load'],
  [/Loader/u, 500, 'load'],
  [/Sampler/u, 300, 'step'],
  [/VAE/u, 250, 'picture'],
  [/Upscale/u, 1500, 'picture'],
  [/Save|Video/u, 60, 'picture'],
];

/** What is supposed of a class; undefined where nothing is known of it. */
export const guess = (classType: string): Guess | undefined => {
  const line = guesses.find(([classes]) => classes.test(classType));
  return line && { ms: line[1], per: line[2] };
};
