import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, toPromise, type Workflow } from '../../src/node.js';
import { type EmulatorOptions, startEmulator } from '../../src/emulator.js';
import { ephemeralWorkflow } from '../../src/workflow.js';
import { lastValueFrom } from 'rxjs';

const workflow: Workflow = {
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 2, color: 255 } },
  '3': {
    class_type: 'SaveImage',
    inputs: { images: ['1', 0], filename_prefix: 'a' },
    _meta: { title: 'Keep' },
  },
  '4': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
};

const service = async (options: EmulatorOptions) => {
  const emulator = await startEmulator({ speed: Infinity, ...options });
  const client = createClient(emulator);
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  return { emulator, client, asked: () => emulator.requests.map(({ method, url }) => `${method} ${url}`) };
};

describe('an ephemeral job', () => {
  it.each<EmulatorOptions>([{ dialect: 'local' }, { dialect: 'cloud', profile: '2026-11' }])(
    'O8: leaves no file and no record: %o',
    async (options) => {
      const { emulator, client } = await service(options);
      const state = await lastValueFrom(client.run(workflow, { ephemeral: true }));
      expect(state).toMatchObject({ phase: 'completed', outputsComplete: true, warnings: [] });
      expect(state.socketImages?.map(({ nodeId }) => nodeId).toSorted()).toEqual(['3', '3', '4', '4']);
      expect(state.outputs).toEqual({});
      const sent = emulator.requests.find(
        ({ method, url }) => `${method} ${url}` === 'POST /api/prompt',
      )?.body;
      expect(sent).toContain('"SaveImageWebsocket"');
      expect(sent).not.toMatch(/"(?:SaveImage|PreviewImage)"/u);
      const record = await client.rest.history(state.promptId)();
      expect(record).toMatchObject({ left: { _tag: 'NotFound' } });
    },
  );

  it('O8: says of a record that stays', async () => {
    const { client } = await service({ dialect: 'cloud' });
    const job = await toPromise(client.submit(workflow, { ephemeral: true }));
    const { phase, warnings } = await lastValueFrom(job.states);
    expect([phase, warnings]).toEqual([
      'completed',
      [expect.stringContaining('The record of the job stays')],
    ]);
  });

  it.each<[string, EmulatorOptions, Workflow, RegExp]>([
    [
      'a node writes other files',
      { dialect: 'local' },
      { ...workflow, '9': { class_type: 'SaveAudio', inputs: { audio: ['8', 0] } } },
      /node 9 \(SaveAudio\)/u,
    ],
    ['the service deletes no records', { dialect: 'v2' }, workflow, /deletes no records/u],
  ])('O8: is refused before anything is sent where %s', async (_, options, given, message) => {
    const { client, asked } = await service(options);
    const error: unknown = await lastValueFrom(client.run(given, { ephemeral: true })).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ _tag: 'NotSupported', message: expect.stringMatching(message) as string });
    expect(asked().filter((request) => request.startsWith('POST'))).toEqual([]);
  });
});

describe('a workflow whose pictures come over the socket', () => {
  it('keeps ids, titles and links, and names files that were uploaded', () => {
    const load = { class_type: 'LoadImage', inputs: { image: 'cat.png' } };
    const made = ephemeralWorkflow({ ...workflow, '1': load });
    expect(made.workflow).toEqual({
      '1': load,
      '3': { ...workflow['3'], class_type: 'SaveImageWebsocket', inputs: { images: ['1', 0] } },
      '4': { class_type: 'SaveImageWebsocket', inputs: { images: ['1', 0] } },
    });
    expect(made.problems).toMatchObject([
      { nodeId: '1', input: 'image', type: 'ephemeral_input', severity: 'warning' },
    ]);
    expect(ephemeralWorkflow(made.workflow).workflow).toEqual(made.workflow);
  });
});
