import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodePicture } from '../../../src/emulator/engine/files/picture-files.js';
import type { Picture } from '../../../src/emulator/engine/node-class.js';
import { resize } from '../../../src/emulator/engine/resize.js';
import { textToImageWorkflow, type TextToImageOptions } from '../../../src/emulator/engine/text-to-image.js';
import { meanDifference, recordingContext, runGraph } from './run-node.js';

const order = ['4', '5', '6', '7', '3', '8', '9', '10'];

const make = async (options: TextToImageOptions = {}) => {
  const context = recordingContext({ prompt: textToImageWorkflow(options) });
  const results = await runGraph(textToImageWorkflow(options), order, context);
  const [saved, shown] = context.saved;
  return { context, results, saved: saved!, shown: shown!, picture: decodePicture(saved!.bytes)! };
};

const small = { width: 96, height: 64, steps: 8 };
const digest = ({ rgb }: Picture): string => createHash('sha256').update(rgb).digest('hex');

describe('textToImageWorkflow', () => {
  it('fills in what it is given', () => {
    const graph = textToImageWorkflow({
      prompt: 'p',
      negative: 'n',
      seed: 5,
      steps: 3,
      width: 64,
      height: 32,
    });
    expect(graph['6']?.inputs['text']).toBe('p');
    expect(graph['7']?.inputs['text']).toBe('n');
    expect(graph['3']?.inputs).toMatchObject({ seed: 5, steps: 3 });
    expect(graph['5']?.inputs).toMatchObject({ width: 64, height: 32 });
  });

  it('saves and shows a picture of the size that was asked for', async () => {
    const { saved, shown, picture, results } = await make(small);
    expect([picture.width, picture.height]).toEqual([96, 64]);
    expect([saved.type, saved.extension, saved.prefix, shown.type]).toEqual([
      'output',
      'png',
      'promptwire',
      'temp',
    ]);
    expect(results.get('9')?.ui).toEqual({
      images: [{ filename: 'promptwire_1.png', subfolder: '', type: 'output' }],
    });
    expect(results.get('10')?.ui?.['images']).toHaveLength(1);
  });

  it('makes the same bytes for the same workflow', async () => {
    expect((await make(small)).saved.bytes).toEqual((await make(small)).saved.bytes);
  });

  it.each<[string, TextToImageOptions]>([
    ['prompt', { prompt: 'a misty forest' }],
    ['seed', { seed: 43 }],
    ['seed beyond 2^53', { seed: 2 ** 60 }],
    ['size', { width: 104 }],
  ])('makes another picture for another %s', async (_, options) => {
    expect(digest((await make({ ...small, ...options })).picture)).not.toBe(
      digest((await make(small)).picture),
    );
  });

  it('shows a JPEG for each step, each nearer to the final picture than the one before', async () => {
    const { context, picture } = await make({ ...small, steps: 20 });
    expect(context.steps).toEqual(Array.from({ length: 20 }, (_, index) => [index + 1, 20]));
    const distances = context.previews.map((preview) => {
      const { mediaType, bytes } = preview();
      expect(mediaType).toBe('image/jpeg');
      return meanDifference(decodePicture(bytes)!, picture);
    });
    expect(distances).toHaveLength(20);
    expect(distances.every((distance, index) => index === 0 || distance < distances[index - 1]!)).toBe(true);
    expect(distances.at(-1)).toBeLessThan(4);
  });

  it('shows previews of large pictures at 256 pixels an edge, also nearer with each step', async () => {
    const { context, picture } = await make({ width: 640, height: 320, steps: 5 });
    const previews = context.previews.map((preview) => decodePicture(preview().bytes)!);
    expect(previews.map(({ width, height }) => [width, height])).toEqual(new Array(5).fill([256, 128]));
    const target = resize(picture, { width: 256, height: 128, method: 'area' });
    const distances = previews.map((preview) => meanDifference(preview, target));
    expect(distances.every((distance, index) => index === 0 || distance < distances[index - 1]!)).toBe(true);
  });

  it('encodes a preview once, however many look', async () => {
    const { context } = await make(small);
    expect(context.previews[0]!()).toBe(context.previews[0]!());
  });
});
