import { of } from 'rxjs';
import { expect, it } from 'vitest';
import { decodePicture } from '../../../src/cli/picture/decode-picture.js';
import { isSample, makeSample, uploadSamples } from '../../../src/cli/serving/sample-files.js';

it('an input of an example may name one of three files', () => {
  expect(['example.png', 'mask.png', 'example.flac', 'other.png', 'toString', 5].map(isSample)).toEqual([
    ...[true, true, true, false, false, false],
  ]);
});

it('an emulator gets each of them under its name', async () => {
  const uploaded = new Map<string, Uint8Array>();
  const uploadImage =
    ({ content, filename }: { readonly content: Blob; readonly filename: string }) =>
    async () => {
      uploaded.set(filename, new Uint8Array(await content.arrayBuffer()));
      return { _tag: 'Right', right: {} };
    };
  await uploadSamples({ rest: { uploadImage } } as never);
  expect([...uploaded.keys()]).toEqual(['example.png', 'mask.png', 'example.flac']);

  const picture = decodePicture(uploaded.get('example.png') ?? new Uint8Array());
  expect([picture?.width, picture?.height]).toEqual([256, 256]);
  // White in its middle, and ever darker to each of its edges.
  const mask = decodePicture(uploaded.get('mask.png') ?? new Uint8Array());
  expect([mask?.width, mask?.height]).toEqual([256, 256]);
  const shadeAt = (x: number, y: number): number => mask?.rgb[(y * 256 + x) * 3] ?? -1;
  expect(shadeAt(128, 128)).toBe(255);
  for (const [x, y] of [
    [0, 128],
    [255, 128],
    [128, 0],
    [128, 255],
  ] as const)
    expect([x, y, shadeAt(x, y) < 20]).toEqual([x, y, true]);
  const sound = uploaded.get('example.flac') ?? new Uint8Array();
  expect(new TextDecoder('latin1').decode(sound.subarray(0, 4))).toBe('fLaC');
  // A rate, channels and samples of two seconds stand in its first block.
  const view = new DataView(sound.buffer, sound.byteOffset);
  const rate = view.getUint32(18) >>> 12;
  expect(view.getUint32(22)).toBe(2 * rate);
});

it('what an emulator refuses, or does not make, is told', async () => {
  const refused = { _tag: 'Left', left: new Error('full') };
  const rest = { uploadImage: () => () => Promise.resolve(refused) };
  await expect(uploadSamples({ rest } as never)).rejects.toBe(refused.left);
  const idle = { generate: () => of({}) } as never;
  await expect(makeSample(idle, 'mask.png')).rejects.toThrow('The emulator made no file.');
});
