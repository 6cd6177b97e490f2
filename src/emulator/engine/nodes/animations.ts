import { define, type NodeDescription } from '../define.js';
import { encodeAnimatedWebp } from '../files/webp.js';
import { encodeApng } from '../files/apng.js';
import { encodeExif } from '../files/exif.js';
import { fileMetadata } from './save.js';
import type { ImageBatch } from '../values.js';
import type { InputSpec, NewFile, NodeClass, NodeContext } from '../node-class.js';
import { type Inputs, read } from '../read.js';

/** Makes a file of all pictures of a batch. */
type Encode = (frames: ImageBatch, inputs: Inputs, context: NodeContext) => Uint8Array;

/** A class that saves a batch as one animated picture. */
const saverOf = (
  extension: NewFile['extension'],
  description: Pick<NodeDescription, 'name' | 'required'>,
  encode: Encode,
): NodeClass => {
  const definition = define({
    ...description,
    ...{ style: 'new', pythonModule: 'comfy_extras.nodes_images', category: 'image/animation' },
    required: {
      images: ['IMAGE', {}],
      filename_prefix: ['STRING', { default: 'ComfyUI', multiline: false }],
      fps: framesPerSecond,
      ...description.required,
    },
    hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
    outputNode: true,
  });
  return {
    definition: () => definition,
    execute: async (inputs, context) => {
      const frames = read.images(inputs, 'images');
      await context.step(1, 1);
      const prefix = read.text(inputs, 'filename_prefix', 'ComfyUI');
      const bytes = encode(frames, inputs, context);
      const file = context.save({ bytes, extension, prefix, type: 'output' });
      return { values: [], ui: { images: [file], animated: [true] } };
    },
  };
};

const framesPerSecond: InputSpec = ['FLOAT', { default: 6, min: 0.01, max: 1000, step: 0.01 }];

const durationMs = (inputs: Inputs): number => Math.trunc(1000 / read.number(inputs, 'fps'));

/** The engine's classes that save a batch as one animated picture; its WebP is lossless, whatever the quality. */
export const animations: readonly NodeClass[] = [
  saverOf(
    'webp',
    {
      name: 'SaveAnimatedWEBP',
      required: {
        lossless: ['BOOLEAN', { default: true }],
        quality: ['INT', { default: 80, min: 0, max: 100 }],
        method: ['COMBO', { multiselect: false, options: ['default', 'fastest', 'slowest'] }],
      },
    },
    (frames, inputs, context) => {
      const texts = Object.entries(withPromptFirst(fileMetadata(context)));
      const exif = encodeExif(texts.map(([key, value]) => `${key}:${value}`));
      return encodeAnimatedWebp(frames, { durationMs: durationMs(inputs), exif });
    },
  ),
  saverOf(
    'png',
    {
      name: 'SaveAnimatedPNG',
      required: { compress_level: ['INT', { default: 4, min: 0, max: 9 }] },
    },
    (frames, inputs, context) =>
      encodeApng(frames, {
        durationMs: durationMs(inputs),
        text: fileMetadata(context),
        level: read.number(inputs, 'compress_level'),
      }),
  ),
];

/** The prompt is the model of the camera, other texts have the tags before. */
const withPromptFirst = ({
  prompt = '{}',
  ...others
}: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({ prompt, ...others });
