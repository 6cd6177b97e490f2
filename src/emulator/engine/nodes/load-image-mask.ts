import { define } from '../define.js';
import type { DecodedPicture } from '../files/decode-picture.js';
import { loadPicture, validateImage } from '../input-file.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';
import type { Mask } from '../values.js';

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
