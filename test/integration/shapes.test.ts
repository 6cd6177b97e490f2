import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/emulator.js';
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
});
