import { describe, expect, it } from 'vitest';
import { encodeJpeg } from '../../../../src/emulator/engine/files/jpeg.js';
import { encodePng } from '../../../../src/emulator/engine/files/png.js';
import type { Mask } from '../../../../src/emulator/engine/values.js';
import { nodeClasses } from '../../../../src/emulator/engine/node-classes.js';
import { PNG } from 'pngjs';
import { recordingContext, runNode, testPicture } from '../run-node.js';

const transparent = (): Uint8Array => {
  const png = new PNG({ width: 2, height: 1 });
  png.data = Buffer.from([10, 20, 30, 255, 40, 50, 60, 55]);
  return PNG.sync.write(png);
};

const files = new Map<string, Uint8Array>([
  ['plain.png', encodePng(testPicture(4, 3))],
  ['sub/photo.jpg [input]', encodeJpeg(testPicture(4, 3))],
  ['glass.png', transparent()],
  ['note.txt', Buffer.from('no picture')],
]);

const load = async (classType: string, inputs: Readonly<Record<string, unknown>>) =>
  (await runNode(classType, inputs, recordingContext({}, files))).values;

const validate = (classType: string, image: unknown): string | undefined =>
  nodeClasses.get(classType)?.validate?.({ image }, { exists: (name) => files.has(name) });

describe('LoadImage', () => {
  it('loads a PNG pixel by pixel, with an empty mask', async () => {
    const [images, mask] = await load('LoadImage', { image: 'plain.png' });
    expect(images).toEqual([testPicture(4, 3)]);
    expect(mask).toEqual({ kind: 'MASK', width: 4, height: 3, bytes: new Uint8Array(12) });
  });

  it('loads a JPEG of a subfolder', async () => {
    const [images] = await load('LoadImage', { image: 'sub/photo.jpg [input]' });
    expect(images).toMatchObject([{ width: 4, height: 3 }]);
  });

  it('makes transparency a mask', async () => {
    const [, mask] = await load('LoadImage', { image: 'glass.png' });
    expect([...(mask as Mask).bytes]).toEqual([0, 200]);
  });

  it.each([
    ['gone.png', 'ImageDownloadError'],
    ['note.txt', 'PIL.UnidentifiedImageError'],
  ])('fails on %s with %s', async (image, exceptionType) => {
    await expect(load('LoadImage', { image })).rejects.toMatchObject({ exceptionType });
  });
});

describe('LoadImageMask', () => {
  it.each([
    ['red', [10, 40]],
    ['green', [20, 50]],
    ['blue', [30, 60]],
    ['alpha', [0, 200]],
  ])('takes the channel %s', async (channel, bytes) => {
    const [mask] = await load('LoadImageMask', { image: 'glass.png', channel });
    expect([...(mask as Mask).bytes]).toEqual(bytes);
  });

  it('has an empty mask where there is no alpha channel', async () => {
    const [mask] = await load('LoadImageMask', { image: 'plain.png', channel: 'alpha' });
    expect(new Set((mask as Mask).bytes)).toEqual(new Set([0]));
  });

  it('is shown as a picture by MaskToImage', async () => {
    const [mask] = await load('LoadImageMask', { image: 'glass.png', channel: 'red' });
    const [images] = await load('MaskToImage', { mask });
    expect(images).toEqual([{ width: 2, height: 1, rgb: Uint8Array.of(10, 10, 10, 40, 40, 40) }]);
  });
});

describe.each(['LoadImage', 'LoadImageMask'])('validation of %s', (classType) => {
  it('accepts a file that exists and refuses others', () => {
    expect(validate(classType, 'plain.png')).toBeUndefined();
    expect(validate(classType, 'gone.png')).toBe('Invalid image file: gone.png');
    expect(validate(classType, 5)).toBe('Invalid image file: 5');
  });
});
