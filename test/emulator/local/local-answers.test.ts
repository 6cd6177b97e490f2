import { describe, expect, it } from 'vitest';
import { virtualClock, type Emulator } from '../../../src/emulator.js';
import { call, quick } from '../support.js';
import { listenLocal, openLocal, post, runLocal } from './support.js';

const kind = 'application/octet-stream';

/** A stored text of ten bytes. */
const withFile = async (): Promise<Emulator> => {
  const clock = virtualClock(Date.UTC(2026, 10, 20, 21));
  const emulator = await openLocal({ clock });
  const form = new FormData();
  form.set('image', new Blob(['0123456789']), 'note.txt');
  await call(emulator, 'POST', '/upload/image', form);
  return emulator;
};

const note = (emulator: Emulator, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${emulator.baseUrl}/view?filename=note.txt&type=input`, { headers });

describe('answers without a body', () => {
  it.each([
    ['POST', '/queue', { clear: true }],
    ['POST', '/history', { clear: true }],
    ['POST', '/interrupt', {}],
    ['POST', '/free', {}],
    ['POST', '/settings', {}],
    ['POST', '/settings/Comfy.Theme', '"dark"'],
    ['PATCH', '/internal/logs/subscribe', { clientId: 'x', enabled: true }],
  ])('M11: %s %s names a kind and the length 0', async (method, path, body) => {
    const { status, headers, bytes } = await call(await openLocal(), method, path, body);
    expect([status, bytes.length]).toEqual([200, 0]);
    expect([headers.get('content-type'), headers.get('content-length')]).toEqual([kind, '0']);
  });
});

describe('small routes of the local server', () => {
  it('M11: L.68: POST /users adds a user and answers the id, once for each name', async () => {
    const emulator = await openLocal();
    const add = async (body: unknown) => {
      const answer = await call(emulator, 'POST', '/api/users', body);
      return [answer.status, answer.bytes.toString()];
    };
    const [status, id] = await add({ username: 'Ada L.' });
    expect(status).toBe(200);
    expect(id).toMatch(/^"Ada-L-_[\da-f-]{36}"$/u);
    expect(await add({ username: 'Ada L.' })).toEqual([400, '{"error": "Duplicate username."}']);
    for (const body of [{}, { username: ' ' }]) expect((await add(body))[0]).toBe(500);
  });

  it('M11: L.69: /internal/files lists the top of a folder, the newest first', async () => {
    const emulator = await openLocal();
    for (const [filename, subfolder] of [
      ['a.png', ''],
      ['b.png', ''],
      ['c.png', 'below'],
    ] as const) {
      const form = new FormData();
      form.set('image', new Blob([filename]), filename);
      form.set('subfolder', subfolder);
      await call(emulator, 'POST', '/upload/image', form);
    }
    const text = async (path: string) => (await call(emulator, 'GET', path)).bytes.toString();
    expect(await text('/internal/files/input')).toBe('["b.png [input]", "a.png [input]"]');
    expect(await text('/internal/files/output')).toBe('[]');
    const other = await call(emulator, 'GET', '/internal/files/models');
    expect([other.status, other.body]).toEqual([400, { error: expect.any(String) as string }]);
    expect((await call(emulator, 'GET', '/api/internal/files/input')).status).toBe(404);
  });

  it('M11: L.70: /internal/folder_paths says where models are', async () => {
    const emulator = await openLocal();
    const { body } = await call(emulator, 'GET', '/internal/folder_paths');
    expect(body).toEqual({ checkpoints: [expect.any(String)] });
    expect((await call(emulator, 'GET', '/api/internal/folder_paths')).status).toBe(404);
  });

  it.each(['/queue', '/history', '/nothing-here', '/view'])(
    'M11: L.67: the answer of %s names its server',
    async (path) => {
      const { headers } = await call(await openLocal(), 'GET', path);
      expect(headers.get('server')).toMatch(/^Python\/\d+\.\d+ aiohttp\/[\d.]+$/u);
    },
  );

  it('M11: progress_state has floats of a node without steps, and integers of one with steps', async () => {
    const { listener } = await runLocal(await openLocal(), {
      1: { class_type: 'SlowNode', inputs: { steps: 3 } },
      2: { class_type: 'SilentOutput', inputs: { anything: 1 } },
    });
    const states = listener.heard.filter(({ type }) => type === 'progress_state').map(({ text }) => text);
    expect(states.some((text) => text.includes('{"value": 0.0, "max": 1.0, "state": "running"'))).toBe(true);
    expect(states.some((text) => text.includes('{"value": 1.0, "max": 1.0, "state": "finished"'))).toBe(true);
    expect(states.some((text) => text.includes('{"value": 2, "max": 3, "state": "running"'))).toBe(true);
  });
});

describe('ranges of the local server', () => {
  it.each(['bytes=10-', 'bytes=0-1,3-4', 'lines=1-2'])('M11: 416 to %s comes in chunks', async (range) => {
    const answer = await note(await withFile(), { range });
    expect([answer.status, await answer.text()]).toEqual([416, '']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-range': 'bytes */10',
      'content-disposition': 'filename="note.txt"',
      'content-type': 'text/plain',
      'transfer-encoding': 'chunked',
    });
    for (const name of ['etag', 'last-modified', 'accept-ranges', 'content-length'])
      expect(answer.headers.has(name)).toBe(false);
  });

  it('M11: If-Range takes a date; an ETag there has no effect', async () => {
    const emulator = await withFile();
    const rest = (condition: string) => note(emulator, { range: 'bytes=4-', 'if-range': condition });
    const whole = await note(emulator);
    expect(whole.headers.get('content-type')).toBe('text/plain');
    const modified = whole.headers.get('last-modified') ?? '';
    const before = new Date(Date.parse(modified) - 1000).toUTCString();
    const statuses = [];
    for (const condition of ['"another"', modified, before]) statuses.push((await rest(condition)).status);
    expect(statuses).toEqual([206, 206, 200]);
  });

  it('M11: 304 has no length', async () => {
    const emulator = await withFile();
    const etag = (await note(emulator)).headers.get('etag') ?? '';
    const answer = await note(emulator, { 'if-none-match': etag });
    expect([answer.status, answer.headers.has('content-length')]).toEqual([304, false]);
  });
});

describe('bounds of the local server', () => {
  it('M11: 413 names the bound and the bytes that came, of a workflow and of an upload', async () => {
    const emulator = await openLocal({ switches: { maxPromptBytes: 50, maxUploadBytes: 50 } });
    const form = new FormData();
    form.set('image', new Blob(['x'.repeat(60)]), 'a.png');
    const text = /^Maximum request body size 50 exceeded, actual body size \d+$/u;
    for (const body of [JSON.stringify({ prompt: 'x'.repeat(60) }), form]) {
      const path = typeof body === 'string' ? '/prompt' : '/upload/image';
      const { status, headers, bytes } = await call(emulator, 'POST', path, body);
      expect([status, headers.get('content-type')]).toEqual([413, 'text/plain; charset=utf-8']);
      expect(bytes.toString()).toMatch(text);
      expect(Number(/\d+$/u.exec(bytes.toString())?.[0])).toBeGreaterThan(50);
    }
  });

  it('M11: are 100 MiB, told by the flags as an integer, and as a float where they were set', async () => {
    const flags = async (maxUploadBytes?: number) => {
      const emulator = await openLocal(maxUploadBytes === undefined ? {} : { switches: { maxUploadBytes } });
      return (await call(emulator, 'GET', '/features')).bytes.toString();
    };
    expect(await flags()).toBe('{"supports_preview_metadata": true, "max_upload_size": 104857600}');
    expect(await flags(1_048_576)).toBe('{"supports_preview_metadata": true, "max_upload_size": 1048576.0}');
  });

  it.each([
    [{}, 4 * 1024 * 1024],
    [{ switches: { maxMessageBytes: 100 } }, 100],
  ])('M11: close a socket with 1009 that sends more than its bound: %j', async (options, bound) => {
    const { socket, settle } = await listenLocal(await openLocal(options), 'x');
    socket.send('x'.repeat(bound));
    await settle();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send('x'.repeat(bound + 1));
    expect(await closed).toBe(1009);
  });
});

describe('an upload that is no form', () => {
  it.each(['application/json', 'text/plain'])('M11: of the kind %s is a bare 400', async (type) => {
    const { status, headers, bytes } = await call(await openLocal(), 'POST', '/upload/image', '{}', {
      'content-type': type,
    });
    expect([status, headers.get('content-type'), bytes.length]).toEqual([400, kind, 0]);
  });
});

describe('what the editor asks a local server', () => {
  it('M11: has one user, and nothing of packages', async () => {
    const emulator = await openLocal();
    const get = async (path: string) => (await call(emulator, 'GET', path)).bytes.toString();
    expect(await get('/users')).toBe('{"storage": "server", "migrated": true}');
    expect([await get('/i18n'), await get('/api/workflow_templates')]).toEqual(['{}', '{}']);
  });

  it('M11: keeps settings', async () => {
    const emulator = await openLocal();
    const get = async (path: string) => (await call(emulator, 'GET', path)).bytes.toString();
    expect([await get('/settings'), await get('/settings/a')]).toEqual(['{}', 'null']);
    await call(emulator, 'POST', '/settings', { a: 1, b: [true] });
    await call(emulator, 'POST', '/settings/a', '{"c": null}');
    expect(await get('/api/settings')).toBe('{"a": {"c": null}, "b": [true]}');
    expect(await get('/settings/b')).toBe('[true]');
    expect((await call(emulator, 'POST', '/settings/a', '{')).status).toBe(500);
  });

  it('M11: tells the versions of the engine, the editor and the templates', async () => {
    const system = async (engine?: '0.3.40') =>
      (await call(await openLocal({ engine }), 'GET', '/system_stats')).body['system'];
    const version = expect.stringMatching(/^\d+\.\d+\.\d+$/u) as unknown;
    expect(await system()).toMatchObject({
      comfyui_version: '0.3.64',
      required_frontend_version: version,
      installed_templates_version: version,
      required_templates_version: version,
      argv: [expect.any(String), '--cpu'],
    });
    expect(await system('0.3.40')).not.toHaveProperty('installed_templates_version');
  });
});

describe('the log of a local server', () => {
  it('M11: is one text in JSON, and a list of lines', async () => {
    const emulator = await openLocal({ clock: virtualClock(Date.UTC(2026, 0, 1)) });
    await runLocal(emulator, quick);
    expect((await call(emulator, 'GET', '/internal/logs')).bytes.toString()).toBe(
      '"2026-01-01T00:00:00.000 - got prompt\\n2026-01-01T00:00:00.000 - Prompt executed in 0.00 seconds\\n"',
    );
    expect((await call(emulator, 'GET', '/internal/logs/raw')).body).toEqual({
      entries: [
        { t: '2026-01-01T00:00:00.000', m: 'got prompt\n' },
        { t: '2026-01-01T00:00:00.000', m: 'Prompt executed in 0.00 seconds\n' },
      ],
      size: { cols: 80, rows: 24 },
    });
    expect((await call(emulator, 'GET', '/api/internal/logs')).status).toBe(404);
  });

  it('M11: goes to the sockets that subscribed, until they end it', async () => {
    const emulator = await openLocal();
    const [reader, other] = [await listenLocal(emulator, 'reader'), await listenLocal(emulator, 'other')];
    const subscribe = (body: unknown) => call(emulator, 'PATCH', '/internal/logs/subscribe', body);
    expect((await subscribe({ clientId: 'reader' })).status).toBe(500);
    await subscribe({ clientId: 'reader', enabled: true });
    await subscribe({ clientId: 'gone', enabled: true });
    await post(emulator, quick, 'other');
    await reader.until('logs', ({ size }) => size === null);
    const logs = reader.heard.filter(({ type }) => type === 'logs').map(({ data }) => data);
    expect(logs).toMatchObject([
      { entries: [{ m: 'got prompt\n' }], size: { cols: 80, rows: 24 } },
      { entries: [{ m: expect.stringContaining('Prompt executed') as unknown }], size: null },
    ]);
    await subscribe({ clientId: 'reader', enabled: false });
    await runLocal(emulator, quick);
    await reader.settle();
    expect(reader.heard.filter(({ type }) => type === 'logs')).toHaveLength(2);
    expect(other.types()).not.toContain('logs');
  });
});
