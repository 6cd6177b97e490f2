import { describe, expect, it } from 'vitest';
import { runNode, testPicture } from '../run-node.js';

describe('a node whose result is too large for the emulator', () => {
  it.each([
    ['EmptyLatentImage', { width: 16_384, height: 16_384, batch_size: 1 }],
    ['EmptyLatentImage', { width: 512, height: 512, batch_size: 4096 }],
    [
      'ImageScale',
      { image: [testPicture(2, 2)], width: 16_384, height: 16_384, upscale_method: 'area', crop: 'disabled' },
    ],
    ['EmptyAudio', { duration: 1e9, sample_rate: 44_100, channels: 2 }],
  ])('fails as one out of memory: %s', async (classType, inputs) => {
    await expect(runNode(classType, inputs)).rejects.toMatchObject({ exceptionType: 'OOMError' });
  });
});
