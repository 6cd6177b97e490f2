import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/emulator.js';
import { lastValueFrom } from 'rxjs';
import { createClient, outputFiles, outputTexts, toPromise } from '../../src/node.js';

const workflow = {
  '1': { class_type: 'SaveGLB', inputs: { mesh: 'cube', filename_prefix: '3d/cube' } },
  '2': { class_type: 'Preview3D', inputs: { model_file: '3d/cube_00001_.glb' } },
  '3': { class_type: 'Preview3DAdvanced', inputs: { mesh: 'cube' } },
  '4': { class_type: 'SaveText', inputs: { text: '# cube', filename_prefix: 'cube' } },
};

const local = async (modelOutputs: 'text' | 'annotated' | 'listed') => {
  const emulator = await startEmulator({ dialect: 'local', speed: Infinity, switches: { modelOutputs } });
  onTestFinished(() => emulator.close());
  const client = createClient(emulator);
  onTestFinished(() => client.close());
  return client;
};

describe('a local server with nodes of 3D models', () => {
  it.each(['text', 'annotated', 'listed'] as const)(
    'O1: gives every file and text (%s)',
    async (modelOutputs) => {
      const client = await local(modelOutputs);
      const job = await toPromise(client.submit(workflow));
      const outputs = await toPromise(job.outputs);
      const files = outputFiles(outputs);
      expect(
        files.map(({ nodeId, type, subfolder, mediaType }) => [nodeId, type, subfolder, mediaType]),
      ).toEqual([
        ['1', 'output', '3d', 'model/gltf-binary'],
        ['2', 'output', '3d', 'model/gltf-binary'],
        ['2', 'temp', '', 'image/png'],
        ['3', 'temp', '', 'model/gltf-binary'],
        ['4', 'output', '', 'text/markdown'],
      ]);
      for (const file of files) {
        const content = await toPromise(client.rest.view(file));
        expect((await content.bytes()).length).toBeGreaterThan(4);
      }
      expect(outputTexts(outputs).map(({ text }) => text)).toEqual(['# cube']);
    },
  );

  it('O1: finds a preview in the folder of older engines', async () => {
    const client = await local('text');
    const outputs = await toPromise((await toPromise(client.submit(workflow))).outputs);
    const saved = outputFiles(outputs).find(({ nodeId }) => nodeId === '1');
    if (saved === undefined) throw new Error('no file');
    const content = await toPromise(client.rest.view({ ...saved, type: 'temp', otherType: 'output' }));
    expect(await content.bytes()).toEqual(await (await toPromise(client.rest.view(saved))).bytes());
  });

  it('O1: gives the files of the newest engine once, with their own media types, where it keeps assets', async () => {
    const emulator = await startEmulator({
      ...{ dialect: 'local', engine: 'latest', speed: Infinity, switches: { assets: true } },
    });
    onTestFinished(() => emulator.close());
    const client = createClient(emulator);
    onTestFinished(() => client.close());
    const drawing = new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>']);
    const { name } = await toPromise(client.rest.uploadImage({ content: drawing, filename: 'nine.svg' }));
    const state = await lastValueFrom(
      client.run({
        ...workflow,
        '5': { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 9 } },
        '6': { class_type: 'ImageCompare', inputs: { image_a: ['5', 0] } },
        '7': { class_type: 'SolidMask', inputs: { value: 1, width: 16, height: 16 } },
        '8': { class_type: 'MaskPreview', inputs: { mask: ['7', 0] } },
        '9': { class_type: 'OddNumbers', inputs: {} },
      }),
    );
    expect(state).toMatchObject({ phase: 'completed', outputsComplete: true });
    const files = outputFiles(state.outputs, state);
    expect(files.map(({ nodeId, type, mediaType }) => [nodeId, type, mediaType])).toEqual([
      ['1', 'output', 'model/gltf-binary'],
      ['2', 'output', 'model/gltf-binary'],
      ['2', 'temp', 'image/png'],
      ['3', 'temp', 'model/gltf-binary'],
      ['4', 'output', 'text/markdown'],
      ['6', 'temp', 'image/png'],
      ['8', 'temp', 'image/png'],
    ]);
    const types: string[] = [];
    for (const file of [...files, { filename: name, subfolder: '', type: 'input' as const }])
      types.push((await (await toPromise(client.rest.view(file))).blob()).type);
    expect(types).toEqual([...files.map(({ mediaType }) => mediaType), 'image/svg+xml']);
  });
});
