import { describe, expect, it } from 'vitest';
import { decodePicture } from '../../../../src/emulator/engine/files/decode-picture.js';
import { recordingContext, runNode, testPicture } from '../run-node.js';

const pictures = [testPicture(4, 3), testPicture(4, 3, 50)];

describe.each([
  ['SaveImage', 'output', 'wish/name'],
  ['PreviewImage', 'temp', 'preview'],
] as const)('%s', (classType, type, prefix) => {
  it('keeps every picture of the batch as a PNG file and tells of each', async () => {
    const context = recordingContext();
    const result = await runNode(classType, { images: pictures, filename_prefix: 'wish/name' }, context);
    expect(context.saved.map((file) => [file.type, file.extension, file.prefix])).toEqual([
      [type, 'png', prefix],
      [type, 'png', prefix],
    ]);
    expect(context.saved.map(({ bytes }) => decodePicture(bytes))).toEqual(pictures);
    expect(result.values).toEqual([]);
    expect(result.ui).toEqual({
      images: [1, 2].map((place) => ({ filename: `${prefix}_${place}.png`, subfolder: '', type })),
    });
  });

  it('puts graph and workflow into the file', async () => {
    const context = recordingContext({
      prompt: { '9': { class_type: 'X', note: 'é☃' } },
      extraPngInfo: { workflow: { a: 1 } },
    });
    await runNode(classType, { images: pictures.slice(0, 1), filename_prefix: 'p' }, context);
    const file = Buffer.from(context.saved[0]!.bytes).toString('latin1');
    expect(file).toContain('tEXtprompt\0{"9":{"class_type":"X","note":"\\u00e9\\u2603"}}');
    expect(file).toContain('tEXtworkflow\0{"a":1}');
  });

  it('refuses what is no picture', async () => {
    await expect(runNode(classType, { images: 'text' })).rejects.toThrow("input 'images' is not a IMAGE");
  });
});
