/** What is supposed of a node class before any of its nodes was measured. */
export interface Guess {
  /** Milliseconds, for each unit. */
  readonly ms: number;
  /** The unit: a picture of a megapixel, a step over such a picture, one over a part of any picture, or a node, which loads a model or not. */
  readonly per: 'picture' | 'step' | 'part' | 'node' | 'load';
  /** How often such a node counts its steps; default once. */
  readonly passes?: number;
}

/**
 * What they take on a middling graphics card: one of 12 GB, which makes a picture of SDXL in half a minute. The first line that a class
 * matches counts.
 */
const guesses: readonly (readonly [classes: RegExp, ms: number, per: Guess['per'], passes?: number])[] = [
  // Texts, numbers, options of samplers, and what cuts, scales or stacks pictures.
  [
    /^(?:CLIP(?:Text|Set)|Empty|ModelSampling|Primitive|RandomNoise|Latent|Mask|LoadImage|PreviewImage)/u,
    0,
    'node',
  ],
  [/^Image(?:Scale|Crop|Batch|Invert)|(?:Select|Scheduler|Guider|Guidance|Conditioning)$/u, 0, 'node'],
  [/(?:Checkpoint|UNET|CLIP|Diffusion).*Load/iu, 4000, 'load'],
  [/Load|Provider/u, 500, 'load'],
  [/Sampler/u, 700, 'step'],
  // They sample a picture anew, or parts of it.
  [/SUPIR_sample/u, 2500, 'part'],
  [/UltimateSD/u, 700, 'step'],
  // A face or two.
  [/Detailer/u, 700, 'part', 1.5],
  [/VAE/u, 600, 'picture'],
  [/Upscale/u, 2500, 'picture'],
  // Frames between frames.
  [/VFI|Interpolat/u, 150, 'picture'],
  // Smaller models, which look at a picture or change it.
  [
    /Segment|SAM\d|Preprocessor|Detect|Depth|Pose|Matting|RemBG|RemoveB|Restor|FaceSwap|ReActor/iu,
    2000,
    'node',
  ],
  [/Florence|Caption|Interrogat|Tagger/u, 3000, 'node'],
  [/Save|Video/u, 200, 'picture'],
];

/** So many times as long as that of a middling model takes a step of a large one. */
export const largeSteps = 4;

/** A large model has a large encoder of texts. */
const largeText: Guess = { ms: 1500, per: 'node' };

/** Whether a unit is a step of a model that samples. */
export const isStep = (per: Guess['per'] | undefined): boolean => per === 'step' || per === 'part';

/**
 * What is supposed of a class; undefined where nothing is known of it.
 *
 * @param isLarge - Whether the node works with a large model.
 */
export const guess = (classType: string, isLarge: boolean): Guess | undefined => {
  if (isLarge && /^CLIPText/u.test(classType)) return largeText;
  const [, ms, per, passes] = guesses.find(([classes]) => classes.test(classType)) ?? [];
  if (ms === undefined || per === undefined) return undefined;
  return { ms, per, ...(passes !== undefined && { passes }) };
};
