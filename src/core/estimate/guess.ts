/** What is supposed of a node class before any of its nodes was measured. */
export interface Guess {
  /** Milliseconds, for each unit. */
  readonly ms: number;
  /** The unit: a picture of a megapixel, a step over such a picture, one over a part of any picture, a text, or a node, which loads a model or not. */
  readonly per: 'picture' | 'step' | 'part' | 'node' | 'text' | 'load';
}

/**
 * What they take on a middling graphics card: one of 12 GB, which makes a picture of SDXL in half a minute. The first line that a class
 * matches counts.
 */
const guesses: readonly (readonly [classes: RegExp, ms: number, per: Guess['per']])[] = [
  // Texts, numbers, options of samplers, and what cuts, scales or stacks pictures.
  [/^(?:CLIPSet|Empty|ModelSampling|Primitive|RandomNoise|Latent|Mask|LoadImage|PreviewImage)/u, 0, 'node'],
  [/^Image(?:Scale|Crop|Batch|Invert)|(?:Select|Scheduler|Guider|Guidance|Conditioning)$/u, 0, 'node'],
  [/^CLIPText/u, 100, 'text'],
  // Files of some gigabytes: a model as a whole, a large one, and its encoder of texts.
  [/Checkpoint.*Load/iu, 3000, 'load'],
  [/(?:UNET|Diffusion).*Load/iu, 6000, 'load'],
  [/CLIP.*Load/iu, 3000, 'load'],
  [/Load|Provider/u, 500, 'load'],
  [/Sampler/u, 700, 'step'],
  [/UltimateSD/u, 700, 'step'],
  // They sample a picture anew, or parts of it, such as each face.
  [/SUPIR_sample/u, 2500, 'part'],
  [/Detailer/u, 700, 'part'],
  [/VAE/u, 600, 'picture'],
  [/Upscale/u, 2500, 'picture'],
  // Frames between frames.
  [/VFI|Interpolat/u, 150, 'picture'],
  // They find faces, exchange or mend each, and put it back: a model for each of these.
  [/FaceSwap|ReActor|Restor/iu, 3000, 'node'],
  // A smaller model that looks at a picture or changes it, once.
  [/Segment|SAM\d|Preprocessor|Detect|Depth|Pose|Matting|RemBG|RemoveB/iu, 1200, 'node'],
  [/Florence|Caption|Interrogat|Tagger/u, 3000, 'node'],
  [/Save|Video/u, 200, 'picture'],
];

/** So many times as long as that of a middling model takes a step of a large one. */
export const largeSteps = 4;

/** So many times as long takes a text of a large model, whose encoder is a large one too. */
export const largeTexts = 15;

/** Whether a unit is a step of a model that samples. */
export const isStep = (per: Guess['per'] | undefined): boolean => per === 'step' || per === 'part';

/** What is supposed of a class; undefined if nothing is known of it. */
export const guess = (classType: string): Guess | undefined => {
  if (!known.has(classType)) {
    // The classes of a service are some thousands; a program may name any.
    if (known.size >= maxKnown) known.clear();
    known.set(classType, found(classType));
  }
  return known.get(classType);
};

const known = /* @__PURE__ */ new Map<string, Guess | undefined>();
const maxKnown = 5_000;

const found = (classType: string): Guess | undefined => {
  const [, ms, per] = guesses.find(([classes]) => classes.test(classType)) ?? [];
  return ms === undefined || per === undefined ? undefined : { ms, per };
};
