import { describe, expect, it } from 'vitest';
import { call, type Data, open, submit } from '../support.js';
import { openLocal, runLocal } from './support.js';
import type { Emulator } from '../../../src/emulator.js';

const form = (text: string, name: string): FormData => {
  const made = new FormData();
  made.set('image', new Blob([text]), name);
  return made;
};

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

const node = (class_type: string, inputs: Data = {}) => ({ class_type, inputs });
const picture = node('EmptyImage', { width: 64, height: 64, batch_size: 1, color: 0 });
const saving = { 1: picture, 2: node('SaveImage', { images: ['1', 0], filename_prefix: 'a' }) };

const outputsOf = async (emulator: Emulator, id: string): Promise<Record<string, Data>> => {
  const { body } = await call(emulator, 'GET', `/history/${id}`);
  return (body[id] as { outputs: Record<string, Data> }).outputs;
};

const idsOf = (output: Data | undefined): unknown[] =>
  (output?.['images'] as Data[]).flatMap(({ id, preview_id }) => [id, preview_id]);

describe('a local server that keeps assets', () => {
  it('says so, answers an upload with its asset, and finds the file by the hash of its content', async () => {
    const emulator = await openLocal({ engine: 'latest', switches: { assets: true } });
    expect((await call(emulator, 'GET', '/features')).body).toMatchObject({ assets: true });
    const { body } = await call(emulator, 'POST', '/upload/image', form('one', 'one.png'));
    expect(body).toEqual({
      ...{ name: 'one.png', subfolder: '', type: 'input' },
      asset: {
        ...{ id: expect.stringMatching(/^[\da-f-]{36}$/u) as unknown, name: 'one.png', size: 3 },
        asset_hash: expect.stringMatching(/^blake3:[\da-f]{64}$/u) as unknown,
        ...{ mime_type: 'image/png', tags: ['input'] },
      },
    });
    const { asset_hash } = body['asset'] as { asset_hash: string };
    const found = await call(emulator, 'GET', `/view?filename=${asset_hash}&type=temp`);
    expect([found.status, found.bytes.toString()]).toEqual([200, 'one']);
    expect((await call(emulator, 'GET', `/view?filename=blake3:${'0'.repeat(64)}`)).status).toBe(404);
  });

  it('gives files an id of the run and pictures one of their preview, new ones where the result is cached', async () => {
    const emulator = await openLocal({ engine: 'latest', switches: { assets: true } });
    const ids: unknown[] = [];
    for (let run = 0; run < 2; run += 1) {
      const { promptId: id } = await runLocal(emulator, saving);
      ids.push(...idsOf((await outputsOf(emulator, id))['2']));
    }
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((one) => typeof one === 'string')).toBe(true);
  });

  it('has none of it by default', async () => {
    const emulator = await openLocal({ engine: 'latest' });
    expect((await call(emulator, 'GET', '/features')).body).not.toHaveProperty('assets');
    const { body } = await call(emulator, 'POST', '/upload/image', form('one', 'one.png'));
    expect(body).not.toHaveProperty('asset');
    const { promptId: id } = await runLocal(emulator, saving);
    expect(idsOf((await outputsOf(emulator, id))['2'])).toEqual([undefined, undefined]);
    expect((await call(emulator, 'GET', `/view?filename=blake3:${'0'.repeat(64)}`)).status).toBe(404);
  });
});

describe('a view of the newest engine', () => {
  const headersOf = async (name: string, destination?: string): Promise<Record<string, string | null>> => {
    const emulator = await openLocal({ engine: 'latest' });
    await call(emulator, 'POST', '/upload/image', form(svg, name));
    const { headers } = await call(
      emulator,
      ...(['GET', `/view?filename=${name}&type=input`, undefined] as const),
      destination === undefined ? {} : { 'sec-fetch-dest': destination },
    );
    const names = ['content-type', 'content-disposition', 'cache-control', 'vary', 'x-content-type-options'];
    return Object.fromEntries(names.map((each) => [each, headers.get(each)]));
  };

  it.each(['a.svg', 'a.html', 'a.js', 'a.css', 'a.xml'])(
    'sends %s as an attachment without a type',
    async (name) => {
      expect(await headersOf(name)).toMatchObject({
        ...{
          'content-type': 'application/octet-stream',
          'cache-control': 'no-store',
          vary: 'Sec-Fetch-Dest',
        },
        'content-disposition': `attachment; filename="${name}"`,
      });
    },
  );

  it('sends an SVG to an <img> as it is, and no HTML', async () => {
    expect(await headersOf('a.svg', 'image')).toMatchObject({
      ...{ 'content-type': 'image/svg+xml', 'cache-control': null, vary: 'Sec-Fetch-Dest' },
      'content-disposition': 'filename="a.svg"',
    });
    expect((await headersOf('a.html', 'image'))['content-type']).toBe('application/octet-stream');
  });

  it('forbids to guess the type of any other file', async () => {
    expect(await headersOf('a.png')).toMatchObject({
      ...{ 'content-type': 'image/png', vary: null, 'x-content-type-options': 'nosniff' },
    });
  });
});

describe('a preview of a mask', () => {
  it.each([
    [{ dialect: 'local', engine: 'latest' }, [false]],
    [{ dialect: 'local', engine: '0.3.64' }, undefined],
    [{ profile: '2026-11' }, [false]],
  ] as const)('says that it does not move where the release does: %o', async (options, animated) => {
    const emulator = await open(options);
    const workflow = {
      1: node('SolidMask', { value: 1, width: 8, height: 8 }),
      2: node('MaskPreview', { mask: ['1', 0] }),
    };
    const id = await submit(emulator, workflow);
    const shown = async (): Promise<unknown> =>
      JSON.stringify((await call(emulator, 'GET', `/api/jobs/${id}`)).body) +
      JSON.stringify((await call(emulator, 'GET', `/history/${id}`)).body);
    await expect.poll(shown).toContain('images');
    expect(JSON.stringify(await shown()).includes('animated')).toBe(animated !== undefined);
  });
});
