import { describe, expect, it, onTestFinished } from 'vitest';
import { type EmulatorOptions, startEmulator } from '../../src/emulator.js';
import { createClient, outputFiles, type SubmitRequests, toPromise } from '../../src/node.js';

const picture = (color: number) => ({
  class_type: 'EmptyImage',
  inputs: { width: 8, height: 8, batch_size: 1, color },
});
const workflow = {
  '1': picture(0),
  '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
  '3:1': picture(255),
  '3:2': { class_type: 'SaveImage', inputs: { images: ['3:1', 0], filename_prefix: 'inner' } },
};

const opened = async (options: EmulatorOptions) => {
  const emulator = await startEmulator({ speed: Infinity, ...options });
  onTestFinished(() => emulator.close());
  const client = createClient(emulator);
  onTestFinished(() => client.close());
  const bodies = (): Record<string, unknown>[] =>
    emulator.requests
      .filter(({ method, body }) => method === 'POST' && body !== undefined)
      .map(({ body }) => JSON.parse(body ?? '') as Record<string, unknown>);
  return { client, bodies };
};

const uuid = '11111111-2222-4333-8444-555555555555';

describe('what a submission asks for', () => {
  it.each(['cloud', 'local'] as const)(
    'O4: runs the targets alone, inside a subgraph as well (%s)',
    async (dialect) => {
      const { client } = await opened({ dialect });
      const job = await toPromise(client.submit(workflow, { targets: ['3:2'] }));
      const outputs = await toPromise(job.outputs);
      expect(outputFiles(outputs).map(({ nodeId }) => nodeId)).toEqual(['3:2']);
    },
  );

  it.each([
    [
      'local',
      { front: true, previewMethod: 'none' },
      { front: true, extra_data: { preview_method: 'none' } },
    ],
    ['local', { number: -3 }, { number: -3 }],
    ['cloud', { front: true, workflowId: uuid }, { front: true, workflow_id: uuid }],
    ['v2', { labels: { user: 'ada' } }, { metadata: { user: 'ada' } }],
  ] as const)('O4: sends it to %s: %j', async (dialect, asked, body) => {
    const { client, bodies } = await opened({ dialect, switches: { metadata: true } });
    await toPromise(client.submit(workflow, asked));
    expect(bodies()[0]).toMatchObject(body);
  });

  it.each<[NonNullable<EmulatorOptions['dialect']>, SubmitRequests]>([
    ['local', { labels: { user: 'ada' } }],
    ['local', { workflowId: uuid }],
    ['cloud', { labels: {} }],
    ['cloud', { previewMethod: 'auto' }],
    ['v2', { front: true }],
    ['v2', { number: 1 }],
    ['v2', { targets: ['2'] }],
  ])('O4: refuses what %s has no place for, and sends nothing: %j', async (dialect, asked) => {
    const { client, bodies } = await opened({ dialect });
    for (const submit of [client.submit(workflow, asked), client.rest.submit(workflow, asked)]) {
      expect(await submit()).toMatchObject({ left: { _tag: 'NotSupported', retry: 'never' } });
    }
    expect(bodies()).toEqual([]);
  });

  it.each<[SubmitRequests, string]>([
    [{ targets: [] }, 'targets'],
    [{ targets: ['9'] }, 'targets'],
    [{ targets: ['2', '1'] }, 'targets'],
    [{ number: NaN }, 'number'],
    [{ number: 1, front: true }, 'front'],
    [{ previewMethod: 'best' as 'auto' }, 'previewMethod'],
  ])('O4: refuses %j by name, and sends nothing', async (asked, option) => {
    const { client, bodies } = await opened({ dialect: 'local' });
    for (const submit of [client.submit(workflow, asked), client.rest.submit(workflow, asked)]) {
      expect(await submit()).toMatchObject({ left: { _tag: 'InvalidConfig', option } });
    }
    expect(bodies()).toEqual([]);
  });

  it('O4: measures the progress by the nodes that the targets need', async () => {
    const { client } = await opened({ dialect: 'local' });
    const job = await toPromise(client.submit(workflow, { targets: ['2'] }));
    for await (const state of job) expect(state.nodeCount).toBe(2);
  });
});
