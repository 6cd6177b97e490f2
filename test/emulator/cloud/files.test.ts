import { call, type Called, open, runToEnd } from '../support.js';
import { describe, expect, it } from 'vitest';
import { type Emulator, textToImageWorkflow } from '../../../src/emulator.js';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';

const picture = (
  width: number,
  height: number,
  [r = 0, g = 0, b = 0, a = 255]: readonly number[],
): Buffer => {
  const png = new PNG({ width, height });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([r, g, b, a], at);
  return PNG.sync.write(png);
};

const upload = (
  emulator: Emulator,
  bytes: Buffer,
  fields: Record<string, string> = { type: 'input' },
  path = '/api/upload/image',
  filename = 'cat.PNG',
): Promise<Called> => {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(bytes)]), filename);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return call(emulator, 'POST', path, form);
};

/** Asks for a file and follows to the storage, without a key unless headers say otherwise. */
const fetchFile = async (
  emulator: Emulator,
  filename: string,
  headers: Record<string, string> = {},
): Promise<Response> => {
  const { status, headers: answered } = await call(emulator, 'GET', `/api/view?filename=${filename}`);
  expect(status).toBe(302);
  return fetch(answered.get('location') ?? '', { headers });
};

describe('POST /api/upload/image', () => {
  it('names files by their content, keeps the extension and echoes type and subfolder', async () => {
    const emulator = await open();
    const bytes = picture(4, 4, [1, 2, 3]);
    const first = await upload(emulator, bytes, { type: 'input', subfolder: 'pets', overwrite: 'true' });
    const again = await upload(emulator, bytes);
    const other = await upload(emulator, picture(4, 4, [3, 2, 1]));
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      name: expect.stringMatching(/^[0-9a-f]{64}\.png$/) as string,
      subfolder: 'pets',
      type: 'input',
    });
    expect(again.body['name']).toBe(first.body['name']);
    expect(other.body['name']).not.toBe(first.body['name']);
    expect((await upload(emulator, bytes, {})).body['type']).toBe('output');
  });

  it('makes the file one that workflows can load, and object_info lists', async () => {
    const emulator = await open();
    const { body } = await upload(emulator, picture(4, 4, [9, 9, 9]));
    const { heard } = await runToEnd(emulator, {
      '1': { class_type: 'LoadImage', inputs: { image: body['name'] } },
      '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    });
    expect(heard.map(({ type }) => type)).toContain('execution_success');
    const info = await call(emulator, 'GET', '/api/object_info/LoadImage');
    expect(JSON.stringify(info.body)).toContain(String(body['name']));
  });

  it('uses the client names where names are counted', async () => {
    const emulator = await open({ switches: { fileNames: 'counter' } });
    const names = [];
    for (const colour of [1, 2, 3, 2])
      names.push((await upload(emulator, picture(2, 2, [colour]))).body['name']);
    expect(names).toEqual(['cat.PNG', 'cat (1).PNG', 'cat (2).PNG', 'cat (1).PNG']);
    expect((await upload(emulator, picture(2, 2, [1]))).body['name']).toBe('cat.PNG');
    expect((await upload(emulator, picture(2, 2, [7]), { type: 'input', overwrite: '1' })).body['name']).toBe(
      'cat.PNG',
    );
  });

  it.each([
    ['too many bytes', Buffer.alloc(2000)],
    ['far too many bytes', Buffer.alloc(200_000)],
    ['an edge above 16384', header(16_385, 1)],
    ['more than 67108864 px', header(16_384, 4097)],
  ])('refuses %s with 400', async (_case, bytes) => {
    const emulator = await open({ switches: { maxUploadBytes: 1000 } });
    const answer = await upload(emulator, bytes);
    expect([answer.status, answer.body['code']]).toEqual([400, 'BAD_REQUEST']);
  });

  it('refuses a form without a file', async () => {
    const emulator = await open();
    const form = new FormData();
    form.set('image', 'text');
    expect((await call(emulator, 'POST', '/api/upload/image', form)).status).toBe(400);
    expect((await call(emulator, 'POST', '/api/upload/image', 'no form')).status).toBe(400);
  });
});

describe('POST /api/upload/mask', () => {
  it('keeps the original with the alpha of the upload', async () => {
    const emulator = await open();
    const original = (await upload(emulator, picture(3, 2, [10, 20, 30]))).body['name'];
    const reference = JSON.stringify({ filename: original, subfolder: '', type: 'input' });
    const mask = await upload(
      emulator,
      picture(3, 2, [0, 0, 0, 77]),
      { type: 'input', original_ref: reference },
      '/api/upload/mask',
    );
    expect(mask.body).toMatchObject({
      subfolder: '',
      type: 'input',
      metadata: { is_mask: true, original_hash: original, mask_type: 'painted_masked' },
    });
    const stored = await fetchFile(emulator, String(mask.body['name']));
    const { data } = PNG.sync.read(Buffer.from(await stored.arrayBuffer()));
    expect([...data.subarray(0, 4)]).toEqual([10, 20, 30, 77]);
  });

  it('refuses without, with an unknown and with another size of original', async () => {
    const emulator = await open();
    const send = (fields: Record<string, string>): Promise<Called> =>
      upload(emulator, picture(2, 2, [0]), fields, '/api/upload/mask');
    const large = (await upload(emulator, picture(9, 9, [1]))).body['name'];
    expect((await send({})).status).toBe(400);
    expect((await send({ original_ref: '{"filename":"nothing.png"}' })).status).toBe(404);
    expect((await send({ original_ref: JSON.stringify({ filename: large }) })).status).toBe(400);
  });
});

describe('GET /api/view', () => {
  const make = async (emulator: Emulator): Promise<string> => {
    const { heard } = await runToEnd(emulator, textToImageWorkflow({ width: 128, height: 64, steps: 1 }));
    const output = heard.find(({ type }) => type === 'executed')?.data['output'] as {
      images: { filename: string }[];
    };
    return output.images[0]?.filename ?? '';
  };

  it('leads to a signed address on the second origin that gives the file', async () => {
    const emulator = await open();
    const filename = await make(emulator);
    const { headers } = await call(emulator, 'GET', `/api/view?filename=${filename}&subfolder=&type=output`);
    const url = new URL(headers.get('location') ?? '');
    expect(url.origin).toBe(emulator.storageUrl);
    expect(url.searchParams.get('X-Goog-Date')).toMatch(/^\d{8}T\d{6}Z$/);
    expect(url.searchParams.get('X-Goog-Expires')).toBe('3600');
    const file = await fetch(url);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(file.headers.get('content-length')).toBe(String(bytes.length));
    expect(PNG.sync.read(bytes)).toMatchObject({ width: 128, height: 64 });
  });

  it('gives the picture itself for channel and res', async () => {
    const emulator = await open();
    const filename = await make(emulator);
    const rgb = await call(emulator, 'GET', `/api/view?filename=${filename}&channel=rgb`);
    const alpha = await call(emulator, 'GET', `/api/view?filename=${filename}&channel=a`);
    const small = await call(emulator, 'GET', `/api/view?filename=${filename}&res=64`);
    expect([rgb.status, rgb.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect([...PNG.sync.read(alpha.bytes).data.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
    expect(small.headers.get('content-type')).toBe('image/jpeg');
    expect(jpeg.decode(small.bytes)).toMatchObject({ width: 64, height: 32 });
    expect((await call(emulator, 'GET', `/api/view?filename=${filename}&res=5`)).status).toBe(400);
    expect((await call(emulator, 'GET', `/api/view?filename=${filename}&channel=x`)).status).toBe(400);
  });

  it('is 404 for unknown names and 400 without a name', async () => {
    const emulator = await open();
    expect((await call(emulator, 'GET', '/api/view?filename=nothing.png')).status).toBe(404);
    expect((await call(emulator, 'GET', '/api/view')).status).toBe(400);
  });

  it('L6: refuses API headers at the storage, or tolerates them by switch', async () => {
    const strict = await open();
    const lenient = await open({ switches: { storageHeaders: 'tolerates' } });
    const file = await make(strict);
    for (const name of ['X-API-Key', 'Authorization', 'Cookie', 'X-Comfy-Workspace-ID']) {
      const refused = await fetchFile(strict, file, { [name]: strict.apiKey });
      expect([refused.status, refused.headers.get('content-type')]).toEqual([
        400,
        'application/xml; charset=UTF-8',
      ]);
    }
    expect((await fetchFile(lenient, await make(lenient), { 'X-API-Key': 'x' })).status).toBe(200);
  });

  it('answers ranges, validators and HEAD', async () => {
    const emulator = await open();
    const filename = await make(emulator);
    const whole = await fetchFile(emulator, filename);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const etag = whole.headers.get('etag') ?? '';
    const part = await fetchFile(emulator, filename, { range: 'bytes=4-7', 'if-range': etag });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-7/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(4, 8));
    expect((await fetchFile(emulator, filename, { range: 'bytes=4-7', 'if-range': '"old"' })).status).toBe(
      200,
    );
    expect((await fetchFile(emulator, filename, { 'if-none-match': etag })).status).toBe(304);
    const beyond = await fetchFile(emulator, filename, { range: `bytes=${bytes.length}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    const head = await fetch(whole.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect((await fetch(whole.url, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${emulator.storageUrl}/signed/unknown`)).status).toBe(403);
  });

  it('refuses a signed address after its end', async () => {
    const emulator = await open({ switches: { signedUrlMs: 0 } });
    const expired = await fetchFile(emulator, await make(emulator));
    expect(expired.status).toBe(400);
    expect(await expired.text()).toContain('ExpiredToken');
  });
});

describe('GET /api/object_info and /api/user', () => {
  it('tell every class, one class, or none', async () => {
    const emulator = await open();
    const all = await call(emulator, 'GET', '/api/object_info');
    expect(all.body).toMatchObject({
      KSampler: { name: 'KSampler', output: ['LATENT'], output_node: false },
    });
    expect(Object.keys((await call(emulator, 'GET', '/api/object_info/KSampler')).body)).toEqual([
      'KSampler',
    ]);
    expect((await call(emulator, 'GET', '/api/object_info/Nothing')).body).toEqual({});
  });

  it('tell whose key it is', async () => {
    const { status, body } = await call(await open(), 'GET', '/api/user');
    expect(status).toBe(200);
    expect(body).toEqual({ id: expect.any(String) as string, status: 'active' });
  });
});

/** The first bytes of a PNG of this size. */
function header(width: number, height: number): Buffer {
  const bytes = Buffer.from(picture(1, 1, [0]));
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
