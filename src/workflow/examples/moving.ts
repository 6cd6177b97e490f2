import { type Example, node, optional, promptedModel, required, sampler, samplerInputs } from './example.js';

export const textToVideo: Example = {
  description: 'Makes a short film of a prompt.',
  workflow: {
    ...promptedModel('waves at a beach, camera moving slowly'),
    4: node('EmptyHunyuanLatentVideo', 'Size', { width: 256, height: 256, length: 17, batch_size: 1 }),
    5: sampler(['4', 0], { steps: 10 }),
    6: node('VAEDecode', 'Decode', { samples: ['5', 0], vae: ['1', 2] }),
    7: node('CreateVideo', 'Film', { images: ['6', 0], fps: 12 }),
    8: node('SaveVideo', 'Save', {
      ...{ video: ['7', 0], filename_prefix: 'promptwire', format: 'auto', codec: 'auto' },
    }),
  },
  inputs: {
    prompt: required('Prompt', 'text'),
    ...samplerInputs,
    width: optional('Size', 'width'),
    height: optional('Size', 'height'),
    frames: optional('Size', 'length'),
    fps: optional('Film', 'fps'),
  },
};

export const audio: Example = {
  description: 'Takes a part of a recording and makes it louder or quieter, by decibels.',
  workflow: {
    1: node('LoadAudio', 'Recording', { audio: 'example.flac' }),
    2: node('TrimAudioDuration', 'Part', { audio: ['1', 0], start_index: 0, duration: 1 }),
    3: node('AudioAdjustVolume', 'Volume', { audio: ['2', 0], volume: 3 }),
    4: node('SaveAudio', 'Save', { audio: ['3', 0], filename_prefix: 'promptwire' }),
  },
  inputs: {
    recording: required('Recording', 'audio'),
    start: optional('Part', 'start_index'),
    seconds: optional('Part', 'duration'),
    volume: optional('Volume', 'volume'),
  },
};
