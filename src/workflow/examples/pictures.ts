import { type Example, node, optional, promptedModel, required, sampler, samplerInputs } from './example.js';

export const textToImage: Example = {
  description: 'Makes a picture of a prompt.',
  workflow: {
    ...promptedModel('a sunset over the ocean, islands in the distance'),
    4: node('EmptyLatentImage', 'Size', { width: 512, height: 512, batch_size: 1 }),
    5: sampler(['4', 0]),
    6: node('VAEDecode', 'Decode', { samples: ['5', 0], vae: ['1', 2] }),
    7: node('SaveImage', 'Save', { images: ['6', 0], filename_prefix: 'promptwire' }),
  },
  inputs: {
    prompt: required('Prompt', 'text'),
    ...samplerInputs,
    width: optional('Size', 'width'),
    height: optional('Size', 'height'),
  },
};

export const imageToImage: Example = {
  description: 'Paints a picture anew by a prompt; strength 0 keeps it, 1 keeps nothing of it.',
  workflow: {
    ...promptedModel('the same place in winter'),
    4: node('LoadImage', 'Picture', { image: 'example.png' }),
    5: node('VAEEncode', 'Encode', { pixels: ['4', 0], vae: ['1', 2] }),
    6: sampler(['5', 0], { denoise: 0.6 }),
    7: node('VAEDecode', 'Decode', { samples: ['6', 0], vae: ['1', 2] }),
    8: node('SaveImage', 'Save', { images: ['7', 0], filename_prefix: 'promptwire' }),
  },
  inputs: {
    picture: required('Picture', 'image'),
    prompt: required('Prompt', 'text'),
    strength: optional('Sampler', 'denoise'),
    ...samplerInputs,
  },
};

export const inpaint: Example = {
  description: 'Paints what a mask covers anew: white in a second picture, which may be soft at its edge.',
  workflow: {
    ...promptedModel('a lighthouse'),
    4: node('LoadImage', 'Picture', { image: 'example.png' }),
    5: node('LoadImageMask', 'Mask', { image: 'mask.png', channel: 'red' }),
    6: node('VAEEncode', 'Encode', { pixels: ['4', 0], vae: ['1', 2] }),
    7: node('SetLatentNoiseMask', 'Masked', { samples: ['6', 0], mask: ['5', 0] }),
    8: sampler(['7', 0]),
    9: node('VAEDecode', 'Decode', { samples: ['8', 0], vae: ['1', 2] }),
    10: node('SaveImage', 'Save', { images: ['9', 0], filename_prefix: 'promptwire' }),
  },
  inputs: {
    picture: required('Picture', 'image'),
    mask: required('Mask', 'image'),
    prompt: required('Prompt', 'text'),
    strength: optional('Sampler', 'denoise'),
    ...samplerInputs,
  },
};

export const upscale: Example = {
  description: 'Makes a picture larger.',
  workflow: {
    1: node('LoadImage', 'Picture', { image: 'example.png' }),
    2: node('ImageScaleBy', 'Scale', { image: ['1', 0], upscale_method: 'lanczos', scale_by: 2 }),
    3: node('SaveImage', 'Save', { images: ['2', 0], filename_prefix: 'promptwire' }),
  },
  inputs: { picture: required('Picture', 'image'), factor: optional('Scale', 'scale_by') },
};
