import { describe, expect, it } from 'vitest';
import { call, open } from '../support.js';

const node = (class_type: string, inputs: object = {}) => ({ class_type, inputs });
const picture = node('EmptyImage', { width: 64, height: 64, batch_size: 1, color: 0 });
const save = (id: string) => node('SaveImage', { images: [id, 0], filename_prefix: 'a' });
const resize = (id: string) => node('ResizeImagesByLongerEdge', { images: [id, 0], longer_edge: 32 });

describe('replacements of classes', () => {
  const local = () => open({ dialect: 'local', switches: { nodeReplacements: true } });

  it('are listed, and a server without them has no such route', async () => {
    const { body } = await call(await local(), 'GET', '/api/node_replacements');
    expect(body['ResizeImagesByLongerEdge']).toMatchObject([
      { new_node_id: 'ImageScaleToMaxDimension', output_mapping: [{ new_idx: 0, old_idx: 0 }] },
    ]);
    const cloud = await open({ profile: '2026-11' });
    expect((await call(cloud, 'GET', '/api/node_replacements', undefined, {})).status).toBe(200);
    for (const options of [{ dialect: 'local' }, {}] as const)
      expect((await call(await open(options), 'GET', '/api/node_replacements')).status).toBe(404);
  });

  it('come before validation, and the first outcome is what the queue runs', async () => {
    const prompt = { 1: picture, 2: resize('1'), 3: save('2') };
    for (const options of [
      { dialect: 'local', switches: { nodeReplacements: true } },
      { profile: '2026-11' },
    ] as const)
      expect((await call(await open(options), 'POST', '/api/prompt', { prompt })).status).toBe(200);
  });

  it('drop the inputs of a node where nothing is mapped', async () => {
    const prompt = { 1: picture, 2: { ...save('1'), class_type: 'DropInputsOnPurpose' } };
    const { status, body } = await call(await local(), 'POST', '/api/prompt', { prompt });
    expect([status, body['node_errors']]).toMatchObject([
      400,
      { 2: { class_type: 'SaveImage', errors: [{ type: 'required_input_missing' }, {}] } },
    ]);
  });

  it.each([
    [
      'an input that is mapped and missing',
      { 2: node('ResizeImagesByLongerEdge', { images: ['1', 0] }), 3: save('2') },
    ],
    ['a slot that moves after its input was renamed', { 2: resize('3'), 3: resize('1'), 4: save('2') }],
  ])('fail at %s', async (_, nodes) => {
    const emulator = await local();
    const { status } = await call(emulator, 'POST', '/api/prompt', { prompt: { 1: picture, ...nodes } });
    expect(status).toBe(500);
  });

  it('leave a class alone whose new class is missing as well', async () => {
    const prompt = { 1: picture, 2: node('T2IAdapterLoader'), 3: save('1') };
    const { status, body } = await call(await local(), 'POST', '/api/prompt', { prompt });
    expect([status, body['error']]).toMatchObject([400, { type: 'invalid_prompt' }]);
  });
});
