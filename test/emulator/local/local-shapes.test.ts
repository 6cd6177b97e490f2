import { describe, expect, it } from 'vitest';
import type { EmulatorOptions } from '../../../src/emulator.js';
import { openLocal, runLocal } from './support.js';

const workflow = {
  '1': { class_type: 'SaveGLB', inputs: { mesh: 'cube', filename_prefix: '3d/cube' } },
  '2': { class_type: 'Preview3D', inputs: { model_file: '3d/cube_00001_.glb' } },
  '3': { class_type: 'Preview3DAdvanced', inputs: { mesh: 'cube' } },
  '4': { class_type: 'SaveText', inputs: { text: '# cube', filename_prefix: 'cube' } },
  '5': { class_type: 'EmptyImage', inputs: { width: 8, height: 4, batch_size: 1, color: 0 } },
  '6': { class_type: 'PreviewImage', inputs: { images: ['5', 0] } },
  '7': { class_type: 'ImageCompare', inputs: { image_a: ['5', 0] } },
};

const outputsOf = async (switches?: EmulatorOptions['switches']) => {
  const emulator = await openLocal({ switches });
  const { promptId } = await runLocal(emulator, workflow);
  const history = (await (await fetch(`${emulator.baseUrl}/history/${promptId}`)).json()) as Record<
    string,
    { outputs: Record<string, Record<string, readonly unknown[]>> }
  >;
  return { emulator, outputs: history[promptId]?.outputs ?? {} };
};

describe('what nodes of an engine report', () => {
  it('L.60: names the model of a preview by a text beside a camera and a background', async () => {
    const { outputs } = await outputsOf();
    expect(outputs['2']?.['result']).toMatchObject([
      '3d/cube_00001_.glb',
      { zoom: 1 },
      expect.stringMatching(/^temp\/bg_[0-9a-f]{32}\.png$/u) as string,
    ]);
  });

  it.each([
    ['text', /^preview3d_advanced_[0-9a-f]{32}\.glb$/u],
    ['annotated', /^preview3d_advanced_[0-9a-f]{32}\.glb \[temp\]$/u],
  ] as const)(
    'L.61: names a temporary model by its name, which is all or has its folder (%s)',
    async (modelOutputs, form) => {
      const { outputs, emulator } = await outputsOf({ modelOutputs });
      const [name] = outputs['3']?.['result'] ?? [];
      expect(name).toMatch(form);
      const filename = encodeURIComponent(String(name).replace(' [temp]', ''));
      const status = async (type: string) =>
        (await fetch(`${emulator.baseUrl}/view?filename=${filename}&type=${type}`)).status;
      expect([await status('temp'), await status('output')]).toEqual([200, 404]);
    },
  );

  it('L.62: lists a saved model under `3d`, and names it under `result` as well on newer engines', async () => {
    const file = { filename: 'cube_00001_.glb', subfolder: '3d', type: 'output' };
    expect((await outputsOf()).outputs['1']).toEqual({ '3d': [file] });
    const { outputs } = await outputsOf({ modelOutputs: 'listed' });
    expect(outputs['1']).toMatchObject({ '3d': [file], result: ['3d/cube_00001_.glb', {}, []] });
  });

  it('L.63: has the file of a text under `files` beside the text', async () => {
    const { outputs } = await outputsOf();
    expect(outputs['4']).toEqual({
      files: [{ filename: 'cube_00001_.md', subfolder: '', type: 'output' }],
      text: ['# cube'],
    });
  });

  it('L.90: lists the pictures of a comparison under keys of their own, one of them empty', async () => {
    const { outputs, emulator } = await outputsOf();
    const [file] = outputs['7']?.['a_images'] as readonly Readonly<Record<string, string>>[];
    expect(outputs['7']).toMatchObject({ a_images: [{ type: 'temp' }], b_images: [] });
    const query = new URLSearchParams(file).toString();
    expect((await fetch(`${emulator.baseUrl}/view?${query}`)).status).toBe(200);
  });

  it('L.64: tells the size of a picture on newer engines', async () => {
    const { outputs } = await outputsOf({ fileMetadata: true });
    expect(outputs['6']?.['images']).toMatchObject([{ metadata: { kind: 'image', width: 8, height: 4 } }]);
    expect((await outputsOf()).outputs['6']?.['images']?.[0]).not.toHaveProperty('metadata');
  });

  it('L.65: takes the last part of a name for a view, and drops the path before it', async () => {
    const { emulator } = await outputsOf();
    const status = async (query: string) => (await fetch(`${emulator.baseUrl}/view?${query}`)).status;
    expect(await status('filename=3d/cube_00001_.glb&type=output')).toBe(404);
    expect(await status('filename=cube_00001_.glb&subfolder=3d&type=output')).toBe(200);
  });
});
