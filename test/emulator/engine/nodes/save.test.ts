import { decodePicture } from '../../../../src/emulator/engine/files/picture-files.js';
import { describe, expect, it } from 'vitest';
import { fileMetadata } from '../../../../src/emulator/engine/nodes/save.js';
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

describe('SaveImageWebsocket', () => {
  it('sends each picture as PNG with a step of its own, and has no output', async () => {
    const picture = { width: 2, height: 1, rgb: Uint8Array.of(1, 2, 3, 4, 5, 6) };
    const context = recordingContext();
    const result = await runNode('SaveImageWebsocket', { images: [picture, picture] }, context);
    expect(result).toEqual({ values: [] });
    expect(context.steps).toEqual([
      [0, 2],
      [1, 2],
    ]);
    const sent = context.previews.map((preview) => preview());
    expect(sent.map(({ mediaType }) => mediaType)).toEqual(['image/png', 'image/png']);
    expect(Array.from(sent[0]?.bytes.subarray(1, 4) ?? [])).toEqual([0x50, 0x4e, 0x47]);
    expect(context.saved).toEqual([]);
  });
});

describe('fileMetadata', () => {
  it('carries the graph and the extra information as ASCII JSON', () => {
    const context = recordingContext({
      prompt: { '1': { text: 'Schnee ☃ 𝄞' } },
      extraPngInfo: { workflow: { nodes: [] } },
    });
    const metadata = fileMetadata(context);
    expect(metadata['prompt']).toBe('{"1":{"text":"Schnee \\u2603 \\ud834\\udd1e"}}');
    expect(JSON.parse(metadata['prompt']!)).toEqual(context.prompt);
    expect(metadata['workflow']).toBe('{"nodes":[]}');
  });

  it('leaves out names that no chunk can have, and a second prompt', () => {
    const extraPngInfo = { '': 1, 日本: 1, ['x'.repeat(80)]: 1, 'a\0b': 1, prompt: 'mine', fine: undefined };
    const metadata = fileMetadata(recordingContext({ prompt: {}, extraPngInfo }));
    expect(metadata).toEqual({ prompt: '{}', fine: 'null' });
  });
});
