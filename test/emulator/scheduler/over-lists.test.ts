import { describe, expect, it } from 'vitest';
import { decodePicture } from '../../../src/emulator/engine/files/picture-files.js';
import type { Emulator } from '../../../src/emulator.js';
import { call, type Data } from '../support.js';
import { openLocal, record, runLocal } from '../local/support.js';

const node = (class_type: string, inputs: Data) => ({ class_type, inputs });
const image = (width: number, batch_size: number, color = 0) =>
  node('EmptyImage', { width, height: 8, batch_size, color });

/** What the nodes of a workflow show, by node. */
const shownBy = async (prompt: Data, emulator?: Emulator): Promise<Record<string, Data>> => {
  const server = emulator ?? (await openLocal());
  const { promptId } = await runLocal(server, prompt);
  return (await record(server, promptId))!['outputs'] as Record<string, Data>;
};

describe('a node that gets a list', () => {
  it('M11: runs once for each member, and shows everything together', async () => {
    const shown = await shownBy({
      1: image(16, 5),
      2: node('RebatchImages', { images: ['1', 0], batch_size: 2 }),
      3: node('GetImageSize', { image: ['2', 0] }),
      4: node('PreviewAny', { source: ['3', 2] }),
      5: node('PreviewImage', { images: ['2', 0] }),
    });
    expect(shown['4']).toMatchObject({ text: ['2', '2', '1'] });
    expect(shown['5']!['images']).toHaveLength(5);
  });

  it('M11: has the last member of a shorter list again', async () => {
    const shown = await shownBy({
      1: node('SplitWords', { text: ['9', 0] }),
      2: node('SplitWords', { text: ['8', 0] }),
      3: node('StringConcatenate', { string_a: ['1', 0], string_b: ['2', 0], delimiter: '-' }),
      4: node('PreviewAny', { source: ['3', 0] }),
      8: node('PrimitiveString', { value: 'x y' }),
      9: node('PrimitiveString', { value: 'a b c' }),
    });
    expect(shown['4']).toMatchObject({ text: ['a-x', 'b-y', 'c-y'] });
  });

  it('M11: fails for an empty list, and tells what it had', async () => {
    const emulator = await openLocal();
    const { listener } = await runLocal(emulator, {
      1: node('SplitWords', { text: ['9', 0] }),
      4: node('PreviewAny', { source: ['1', 0] }),
      9: node('PrimitiveString', { value: ' ' }),
    });
    const { data } = await listener.until('execution_error');
    expect(data).toMatchObject({
      node_id: '4',
      exception_type: 'IndexError',
      current_inputs: { source: [] },
    });
  });

  it('M11: tells every member of the list where one fails', async () => {
    const emulator = await openLocal();
    const { listener } = await runLocal(emulator, {
      1: image(16, 2),
      2: node('RebatchImages', { images: ['1', 0], batch_size: 1 }),
      3: node('ImageToMask', { image: ['2', 0], channel: 'alpha' }),
      4: node('MaskPreview', { mask: ['3', 0] }),
    });
    const { data } = await listener.until('execution_error');
    const inputs = data['current_inputs'] as Record<string, unknown>;
    expect(inputs['channel']).toEqual(['alpha']);
    expect(inputs['image']).toHaveLength(2);
  });

  it('M11: takes a list of batches as one where its class says so', async () => {
    const shown = await shownBy({
      1: image(16, 3),
      2: node('RebatchImages', { images: ['1', 0], batch_size: 1 }),
      3: node('RebatchImages', { images: ['2', 0], batch_size: 3 }),
      4: node('GetImageSize', { image: ['3', 0] }),
      5: node('PreviewAny', { source: ['4', 2] }),
    });
    expect(shown['5']).toMatchObject({ text: ['3'] });
  });
});

describe('batches of latents', () => {
  it('M11: are divided in order', async () => {
    const shown = await shownBy({
      1: node('EmptyLatentImage', { width: 64, height: 64, batch_size: 3 }),
      2: node('RebatchLatents', { latents: ['1', 0], batch_size: 2 }),
      3: node('CheckpointLoaderSimple', { ckpt_name: 'scenery-v1.safetensors' }),
      4: node('VAEDecode', { samples: ['2', 0], vae: ['3', 2] }),
      5: node('GetImageSize', { image: ['4', 0] }),
      6: node('PreviewAny', { source: ['5', 2] }),
    });
    expect(shown['6']).toMatchObject({ text: ['2', '1'] });
  });
});

describe('a picture of the output folder', () => {
  it('M11: is loaded by its name there', async () => {
    const emulator = await openLocal();
    await shownBy(
      { 1: image(8, 1, 0x010203), 2: node('SaveImage', { images: ['1', 0], filename_prefix: 'kept' }) },
      emulator,
    );
    const listed = await call(emulator, 'GET', '/internal/files/output');
    const [name] = JSON.parse(listed.bytes.toString()) as string[];
    expect(name).toBe('kept_00001_.png [output]');
    const shown = await shownBy(
      { 3: node('LoadImageOutput', { image: name }), 4: node('PreviewImage', { images: ['3', 0] }) },
      emulator,
    );
    const [file] = shown['4']!['images'] as Record<string, string>[];
    const { bytes } = await call(emulator, 'GET', `/view?${new URLSearchParams(file).toString()}`);
    expect([...decodePicture(bytes)!.rgb.subarray(0, 3)]).toEqual([1, 2, 3]);
  });
});
