import { describe, expect, it } from 'vitest';
import { outputFiles, outputKind } from '../../src/core/state/output-files.js';
import { mergeOutputs } from '../../src/core/state/merge-outputs.js';
import { readOutputs } from '../../src/core/state/outputs.js';
import { fileCount, unlistedOutputs } from '../../src/core/state/unlisted-outputs.js';

const file = (nodeId: string, filename: string, mediaType: string) => ({
  nodeId,
  filename,
  subfolder: '',
  type: 'output',
  mediaType,
});

describe('outputFiles', () => {
  it('F11: lists every array element with a filename, under any key', () => {
    expect(
      outputFiles({
        '9': { images: [{ filename: 'a.png' }, { filename: 'b.webp' }], animated: [true] },
        '10': { gifs: [{ filename: 'c.mp4' }], '3d': [{ filename: 'd.glb' }] },
        '11': { result: ['e.obj', null, 7, { camera: {} }, { filename: 'f.unheard' }] },
      }),
    ).toEqual([
      file('9', 'a.png', 'image/png'),
      file('9', 'b.webp', 'image/webp'),
      file('10', 'c.mp4', 'video/mp4'),
      file('10', 'd.glb', 'model/gltf-binary'),
      file('11', 'e.obj', 'model/obj'),
      file('11', 'f.unheard', 'application/octet-stream'),
    ]);
  });

  it.each([
    ['chair.glb', '', 'chair.glb', 'output'],
    ['3d/chair.glb', '3d', 'chair.glb', 'output'],
    ['3d\\a b\\chair.FBX', '3d/a b', 'chair.FBX', 'output'],
    ['mesh/chair.ply [temp]', 'mesh', 'chair.ply', 'temp'],
    ['chair.stl [output]', '', 'chair.stl', 'output'],
    ['temp/bg_0a.png', '', 'bg_0a.png', 'temp'],
    [`preview_splat_${'0a'.repeat(16)}.ply`, '', `preview_splat_${'0a'.repeat(16)}.ply`, 'temp'],
    [`preview3d_${'0a'.repeat(16)}.glb`, '', `preview3d_${'0a'.repeat(16)}.glb`, 'output'],
  ])('M5: takes the bare text %j for a file', (text, subfolder, filename, type) => {
    for (const result of [[text, null, []], text, Array.from(text)]) {
      expect(outputFiles({ '1': { result } })).toMatchObject([{ subfolder, filename, type }]);
    }
  });

  it.each([
    '/etc/x.glb',
    'C:\\x.glb',
    'https://a/x.glb',
    '../x.glb',
    'a/../x.glb',
    '.glb',
    'done',
    'a\nb.glb',
    '',
  ])('M5: takes the bare text %j for a text', (text) =>
    expect(outputFiles({ '1': { result: [text], '3d': [text] } })).toEqual([]),
  );

  it('M5: takes no text under another key for a file', () => {
    expect(outputFiles({ '1': { text: ['3d/a.glb'], string: ['a.glb'] } })).toEqual([]);
  });

  it('M5: lists a model once that a text, an object and the jobs API name', () => {
    const sent = {
      '1': { '3d': [{ filename: 'a.glb', subfolder: '3d', type: 'output' }], result: ['3d/a.glb'] },
    };
    expect(outputFiles(sent)).toHaveLength(1);
    const detail = {
      '1': { result: [{ filename: '3d/a.glb', subfolder: '', type: 'output', mediaType: '3d' }] },
    };
    expect(outputFiles(detail)).toMatchObject([{ filename: 'a.glb', subfolder: '3d', type: 'output' }]);
    const both = mergeOutputs({ '1': { result: ['3d/a.glb', null] } }, detail);
    expect(both).toEqual({ '1': { result: ['3d/a.glb', null] } });
    expect(fileCount(unlistedOutputs({ '1': { result: ['3d/a.glb'] } }, detail))).toBe(0);
    expect(fileCount(unlistedOutputs({ '1': { result: ['3d/b.glb'] } }, detail))).toBe(1);
  });

  it('finds no file in what is no array or lies deeper', () => {
    expect(
      outputFiles({
        '1': {
          text: 'a.png',
          one: { filename: 'a.png' },
          nested: [[{ filename: 'a.png' }]],
          inner: [{ file: { filename: 'a.png' } }],
        },
      }),
    ).toEqual([]);
  });

  it('keeps subfolder and type where they are sent', () => {
    expect(outputFiles({ '1': { images: [{ filename: 'a.png', subfolder: 'x/y', type: 'temp' }] } })).toEqual(
      [{ ...file('1', 'a.png', 'image/png'), subfolder: 'x/y', type: 'temp' }],
    );
  });

  it.each([
    ['video/h264-mp4', 'clip.mp4', 'video/h264-mp4'],
    ['Image/GIF', 'clip.mp4', 'image/gif'],
    ['mp4', 'clip.mp4', 'video/mp4'],
    ['text/html; x', 'clip.mp4', 'video/mp4'],
    ['evil/type', 'clip', 'application/octet-stream'],
    ['x-image/png', 'clip', 'application/octet-stream'],
    ['', 'CLIP.MP4', 'video/mp4'],
  ])('with the format %j takes %s as %s', (format, filename, mediaType) => {
    expect(outputFiles({ '1': { gifs: [{ filename, format }] } })[0]?.mediaType).toBe(mediaType);
  });

  it('names the node that a node made at run time belongs to, given the nodes of the job', () => {
    const outputs = {
      '5.0.0.1': { images: [{ filename: 'a.png' }] },
      '9': { images: [{ filename: 'b.png' }] },
    };
    const nodes = { '5.0.0.1': { displayNodeId: '5' }, '9': { displayNodeId: '9' } };
    expect(
      outputFiles(outputs, { nodes }).map(({ nodeId, displayNodeId }) => [nodeId, displayNodeId]),
    ).toEqual([
      ['9', undefined],
      ['5.0.0.1', '5'],
    ]);
    expect(outputFiles(outputs).some((one) => 'displayNodeId' in one)).toBe(false);
  });

  it('takes any node id', () => {
    const outputs = readOutputs(JSON.parse('{"__proto__": {"images": [{"filename": "a.png"}]}}'));
    expect(outputFiles(outputs, { nodes: {} })).toEqual([file('__proto__', 'a.png', 'image/png')]);
  });
});

it.each([
  ['image/png', 'image'],
  ['IMAGE/PNG', 'image'],
  ['video/h264-mp4', 'video'],
  ['audio/flac', 'audio'],
  ['model/gltf-binary', '3d'],
  ['model/gltf+json', '3d'],
  ['text/plain; charset=utf-8', 'text'],
  ['application/json; charset=utf-8', 'text'],
  ['application/ld+json', 'text'],
  ['application/octet-stream', 'other'],
  ['imagery', 'other'],
  ['', 'other'],
] as const)('outputKind sorts %j under %s', (mediaType, kind) => {
  expect(outputKind(mediaType)).toBe(kind);
});
