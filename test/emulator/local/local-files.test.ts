import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { textToImageWorkflow, type Emulator } from '../../../src/emulator.js';
import { call, type Called } from '../support.js';
import { openLocal, runLocal } from './support.js';

const png = (width: number, alpha = 255): Buffer => {
  const picture = new PNG({ width, height: 2 });
  picture.data.fill(alpha);
  return PNG.sync.write(picture);
};

const form = (bytes: Uint8Array | string, name: string, fields: Record<string, string> = {}): FormData => {
  const made = new FormData();
  made.set('image', new Blob([Buffer.from(bytes)]), name);
  for (const [field, value] of Object.entries(fields)) made.set(field, value);
  return made;
};

const upload = (
  emulator: Emulator,
  bytes: Uint8Array | string,
  name: string,
  fields?: Record<string, string>,
): Promise<Called> => call(emulator, 'POST', '/upload/image', form(bytes, name, fields));

const view = (emulator: Emulator, query: string, init?: RequestInit): Promise<Response> =>
  fetch(`${emulator.baseUrl}/view?${query}`, { redirect: 'error', ...init });

/** A workflow whose saver has a prefix. */
const savedAs = (prefix: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(textToImageWorkflow({ width: 64, height: 64, steps: 1 })).map(([nodeId, node]) => [
      nodeId,
      node.class_type === 'SaveImage'
        ? { ...node, inputs: { ...node.inputs, filename_prefix: prefix } }
        : node,
    ]),
  );

/** A server that has made a picture in a subfolder. */
const made = async (): Promise<Emulator> => {
  const emulator = await openLocal();
  await runLocal(emulator, savedAs('sub/pic'));
  return emulator;
};

const pic = 'filename=pic_00001_.png&subfolder=sub';

describe('uploading to the local server', () => {
  it('keeps names, and counts up for other bytes only', async () => {
    const emulator = await openLocal();
    const names = [];
    for (const [bytes, fields] of [
      ['one', {}],
      ['one', {}],
      ['two', {}],
      ['three', { overwrite: 'false' }],
      ['four', { overwrite: 'true' }],
      ['four', {}],
      ['five', { overwrite: '1' }],
    ] as const)
      names.push((await upload(emulator, bytes, 'a.png', fields)).body['name']);
    expect(names).toEqual(['a.png', 'a.png', 'a (1).png', 'a (2).png', 'a.png', 'a.png', 'a.png']);
  });

  it('defaults to the input folder, and subfolders count', async () => {
    const emulator = await openLocal();
    const { bytes } = await upload(emulator, '', 'b.png', { subfolder: 'deep/er' });
    expect(bytes.toString()).toBe('{"name": "b.png", "subfolder": "deep/er", "type": "input"}');
    expect((await view(emulator, 'filename=b.png&type=input')).status).toBe(404);
    expect((await view(emulator, 'filename=b.png&type=input&subfolder=deep/er')).status).toBe(200);
    const { body } = await call(emulator, 'GET', '/object_info/LoadImage');
    expect(JSON.stringify(body)).toContain('deep/er/b.png');
  });

  it('refuses what leads out or is missing with a bare 400, and breaks over the rest', async () => {
    const emulator = await openLocal();
    const field = new FormData();
    field.set('image', 'plain');
    const statuses = [
      await upload(emulator, 'x', 'a.png', { subfolder: '../up' }),
      await call(emulator, 'POST', '/upload/image', new FormData()),
      await upload(emulator, 'x', 'a.png', { type: 'elsewhere' }),
      await call(emulator, 'POST', '/upload/image', field),
      await call(emulator, 'POST', '/upload/image', 'no form'),
    ].map(({ status, bytes }) => [status, bytes.length > 0]);
    expect(statuses).toEqual([
      [400, false],
      [400, false],
      [500, true],
      [500, true],
      [400, false],
    ]);
  });

  it('merges a mask into its original, and pretends to where there is none', async () => {
    const emulator = await openLocal();
    await upload(emulator, png(2), 'original.png');
    const mask = (reference?: unknown, width = 2) =>
      call(
        emulator,
        'POST',
        '/upload/mask',
        form(
          png(width, 7),
          'masked.png',
          reference === undefined ? {} : { original_ref: JSON.stringify(reference) },
        ),
      );
    const missing = await mask({ filename: 'original.png' });
    expect([missing.status, missing.body['name']]).toEqual([200, 'masked.png']);
    expect((await view(emulator, 'filename=masked.png&type=input')).status).toBe(404);

    expect((await mask({ filename: 'original.png', type: 'input' })).status).toBe(200);
    const kept = await view(emulator, 'filename=masked.png&type=input');
    expect(PNG.sync.read(Buffer.from(await kept.arrayBuffer())).data[3]).toBe(7);
    expect((await mask({ filename: 'original.png', type: 'input' }, 3)).status).toBe(500);
    expect((await mask()).status).toBe(500);
  });
});

describe('saving files of the local server', () => {
  it.each([
    ['../../etc/pic', 'Exception', 'Saving image outside the output folder is not allowed.'],
    ['a/../../pic', 'Exception', 'Saving image outside the output folder is not allowed.'],
    ['/etc/pic', 'Exception', 'Saving image outside the output folder is not allowed.'],
    ['a\0b', 'ValueError', 'embedded null byte'],
  ])('fails the node for the prefix %j', async (prefix, type, message) => {
    const { listener } = await runLocal(await openLocal(), savedAs(prefix));
    const failed = listener.heard.find((told) => told.type === 'execution_error')?.data;
    expect([failed?.['exception_type'], failed?.['exception_message']]).toEqual([type, `${message}\n`]);
  });

  it.each(['a/../pic', './pic', '..pic', 'a..b/pic'])('takes the prefix %j', async (prefix) => {
    const { listener } = await runLocal(await openLocal(), savedAs(prefix));
    expect(listener.types()).not.toContain('execution_error');
  });
});

describe('viewing files of the local server', () => {
  it('fails for a name with a line break, which no header takes', async () => {
    const emulator = await openLocal();
    await runLocal(emulator, savedAs('a\r\nb'));
    expect((await view(emulator, 'filename=a%0D%0Ab_00001_.png')).status).toBe(500);
  });

  it('answers the bytes themselves, with validators', async () => {
    const answer = await view(await made(), pic);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-disposition': 'filename="pic_00001_.png"',
      'content-type': 'image/png',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f]+-[0-9a-f]+"$/) as unknown,
      'last-modified': expect.stringContaining('GMT') as unknown,
    });
    expect(Buffer.from(await answer.arrayBuffer()).readUInt32BE(0)).toBe(0x89504e47);
  });

  it('knows ranges, validators and HEAD', async () => {
    const emulator = await made();
    const whole = await view(emulator, pic);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const etag = whole.headers.get('etag') ?? '';
    const part = await view(emulator, pic, { headers: { range: 'bytes=2-5' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-5/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(2, 6));
    const past = await view(emulator, pic, { headers: { range: `bytes=${bytes.length}-` } });
    expect(past.status).toBe(416);
    expect((await view(emulator, pic, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await view(emulator, pic, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  it.each([
    ['nothing named', '', 404],
    ['an unknown name', 'filename=none.png', 404],
    ['an empty name', 'filename=', 400],
    ['a way up', 'filename=../x.png', 400],
    ['an absolute name', 'filename=/etc/passwd', 400],
    ['an unknown folder', 'filename=x.png&type=elsewhere', 400],
    ['a subfolder that leads out', 'filename=x.png&subfolder=../..', 403],
  ])('answers %s without a body', async (_name, query, status) => {
    const answer = await view(await openLocal(), query);
    expect([answer.status, await answer.text()]).toEqual([status, '']);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  });

  it('makes previews and channels, and breaks over what is no picture', async () => {
    const emulator = await made();
    const types = [];
    for (const query of [
      'preview=jpeg',
      'preview=webp;75',
      'preview=zzz',
      'channel=rgb',
      'channel=a',
      'channel=zzz',
    ])
      types.push((await view(emulator, `${pic}&${query}`)).headers.get('content-type'));
    expect(types).toEqual(['image/jpeg', 'image/webp', 'image/webp', 'image/png', 'image/png', 'image/png']);
    await upload(emulator, 'text', 'a.txt');
    expect((await view(emulator, 'filename=a.txt&type=input&preview=webp;75')).status).toBe(500);
    expect((await view(emulator, 'filename=a.txt [input]')).status).toBe(200);
  });
});

describe('the other routes of the local server', () => {
  it.each(['/api/user', '/api/job/x/status', '/api/history_v2/x', '/nothing'])(
    '%s is not there',
    async (path) => {
      const { status, bytes } = await call(await openLocal(), 'GET', path);
      expect([status, bytes.toString()]).toEqual([404, '404: Not Found']);
    },
  );

  it('describe the server and its nodes', async () => {
    const emulator = await openLocal();
    const get = async (path: string) => (await call(emulator, 'GET', path)).body;
    expect(await get('/object_info')).toMatchObject({ KSampler: { output_node: false }, SilentOutput: {} });
    expect(Object.keys(await get('/object_info/KSampler'))).toEqual(['KSampler']);
    expect(await get('/api/object_info/None')).toEqual({});
    expect(await get('/system_stats')).toMatchObject({ devices: [{ torch_vram_total: 0 }] });
    expect(JSON.stringify(await get('/system_stats'))).not.toContain('cloud_version');
    expect(await get('/features')).toEqual({ supports_preview_metadata: true, max_upload_size: 104857600 });
    expect(await get('/models')).toEqual(expect.arrayContaining(['checkpoints', 'loras']));
    expect(await get('/models/checkpoints')).toEqual(['scenery-v1.safetensors', 'scenery-v2.safetensors']);
    expect((await call(emulator, 'GET', '/models/none')).status).toBe(404);
    expect(await get('/embeddings')).toEqual([]);
    expect((await call(emulator, 'POST', '/free', {})).status).toBe(200);
    expect((await call(emulator, 'POST', '/free', 'x')).status).toBe(500);
    expect((await call(emulator, 'POST', '/view', {})).status).toBe(405);
  });
});
