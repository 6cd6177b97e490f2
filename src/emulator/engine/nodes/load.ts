import { type DecodedPicture, decodePicture } from '../files/picture-files.js';
import { define, instant } from '../define.js';
import type { Mask } from '../values.js';
import { type NodeClass, type NodeContext, NodeFailure } from '../node-class.js';
import { read } from '../read.js';

/** Reads a picture file that a workflow names. */
export const loadPicture = (name: string, context: NodeContext): DecodedPicture => {
  const bytes = context.load(name);
  if (bytes === undefined) throw new NodeFailure('ImageDownloadError', `Cannot read the image file ${name}.`);
  const picture = decodePicture(bytes);
  if (picture === undefined)
    throw new NodeFailure('PIL.UnidentifiedImageError', `cannot identify image file '${name}'`);
  return picture;
};

/** A loader's own check: its file has to exist. */
const validateImage: NonNullable<NodeClass['validate']> = ({ image }, files) =>
  typeof image === 'string' && files.exists(image) ? undefined : `Invalid image file: ${String(image)}`;

/** Loads an uploaded picture, and its transparency as a mask. */
export const loadImage: NodeClass = {
  definition: ({ inputs }) =>
    define({
      name: 'LoadImage',
      title: 'Load Image',
      category: 'image',
      required: { image: [inputs, { image_upload: true }] },
      outputs: [{ type: 'IMAGE' }, { type: 'MASK' }],
    }),
  validate: validateImage,
  execute: instant((inputs, context) => {
    const { width, height, rgb, alpha } = loadPicture(read.text(inputs, 'image'), context);
    const bytes = alpha ? alpha.map((value) => 255 - value) : new Uint8Array(width * height);
    return { values: [[{ width, height, rgb }], { kind: 'MASK', width, height, bytes } satisfies Mask] };
  }),
};

/** Loads a picture that a job has saved, and its transparency as a mask; the editor asks for the names itself. */
export const loadImageOutput: NodeClass = {
  ...loadImage,
  definition: () =>
    define({
      ...{ name: 'LoadImageOutput', title: 'Load Image (from Outputs)', category: 'image' },
      description: 'Loads a picture of the output folder.',
      required: {
        image: [
          'COMBO',
          {
            ...{ image_upload: true, image_folder: 'output' },
            remote: { route: '/internal/files/output', refresh_button: true, control_after_refresh: 'first' },
          },
        ],
      },
      outputs: [{ type: 'IMAGE' }, { type: 'MASK' }],
      flags: { experimental: true },
    }),
};

/** Loads the picture that the editor has taken by a camera and uploaded before the job. */
export const webcamCapture: NodeClass = {
  ...loadImage,
  definition: () =>
    define({
      ...{ name: 'WebcamCapture', title: 'Webcam Capture', pythonModule: 'comfy_extras.nodes_webcam' },
      category: 'image',
      required: {
        image: ['WEBCAM', {}],
        width: ['INT', { default: 0, min: 0, max: 16_384, step: 1 }],
        height: ['INT', { default: 0, min: 0, max: 16_384, step: 1 }],
        capture_on_queue: ['BOOLEAN', { default: true }],
      },
      outputs: [{ type: 'IMAGE' }],
    }),
  execute: async (inputs, context) => {
    const { values } = await loadImage.execute(inputs, context);
    return { values: values.slice(0, 1) };
  },
};

/** Loads one channel of an uploaded picture as a mask; of `alpha`, the transparent part. */
export const loadImageMask: NodeClass = {
  definition: ({ inputs }) =>
    define({
      name: 'LoadImageMask',
      title: 'Load Image (as Mask)',
      category: 'mask',
      required: { image: [inputs, { image_upload: true }], channel: [['alpha', 'red', 'green', 'blue']] },
      outputs: [{ type: 'MASK' }],
    }),
  validate: validateImage,
  execute: instant((inputs, context) => {
    const picture = loadPicture(read.text(inputs, 'image'), context);
    const { width, height } = picture;
    const bytes = channelOf(picture, read.text(inputs, 'channel'));
    return { values: [{ kind: 'MASK', width, height, bytes } satisfies Mask] };
  }),
};

const channelOf = ({ width, height, rgb, alpha }: DecodedPicture, channel: string): Uint8Array => {
  const offset = ['red', 'green', 'blue'].indexOf(channel);
  if (offset >= 0)
    return Uint8Array.from({ length: width * height }, (_, pixel) => rgb[pixel * 3 + offset] ?? 0);
  return alpha ? alpha.map((value) => 255 - value) : new Uint8Array(width * height);
};
