import { call, type Data, endless, open, quick, runToEnd, submit } from './support.js';
import { createClient, type Workflow } from '../../src/node.js';
import { describe, expect, it } from 'vitest';
import { type Dialect, InvalidState, startEmulator, textToImageWorkflow } from '../../src/emulator.js';
import { lastValueFrom } from 'rxjs';
import { maxStateBytes } from '../../src/emulator/state/state-text.js';
import { readValues, writeValues } from '../../src/emulator/state/state-values.js';
import { PythonFloat } from '../../src/emulator/python-float.js';

const picture = textToImageWorkflow({ width: 64, height: 64, steps: 1 });

/** What an emulator answers to each of these. */
const answersOf = async (
  emulator: Awaited<ReturnType<typeof open>>,
  paths: readonly string[],
): Promise<unknown> =>
  Promise.all(
    paths.map(async (path) => {
      const { status, body, bytes } = await call(emulator, 'GET', path);
      return [path, status, Object.keys(body).length > 0 ? body : bytes.toString('base64')];
    }),
  );

const upload = async (
  emulator: Awaited<ReturnType<typeof open>>,
  path: string,
  field: string,
): Promise<Data> => {
  const form = new FormData();
  form.set(field, new Blob(['abc'], { type: 'text/plain' }), 'a.txt');
  const { body } = await call(emulator, 'POST', path, form, {
    'x-api-key': emulator.apiKey,
    authorization: `Bearer ${emulator.apiKey}`,
  });
  return body;
};

/** Plays a workflow by a client and gives the id of its job. */
const played = async (emulator: Awaited<ReturnType<typeof open>>, workflow: Workflow): Promise<string> => {
  const client = createClient(emulator);
  const { promptId } = await lastValueFrom(client.run(workflow));
  await client.close();
  return promptId;
};

describe('a saved state', () => {
  it('of a local server has history, files, queue and what the editor stored', async () => {
    const first = await open({ dialect: 'local' });
    await upload(first, '/upload/image', 'image');
    const ended = await played(first, picture);
    await call(first, 'POST', '/userdata/a.json', { a: 1 });
    await call(first, 'POST', '/settings', { big: 12345678901234567890n.toString() });
    await submit(first, endless);
    const waits = await submit(first, quick, {
      extra_data: { api_key_comfy_org: 'a-secret', mark: 1 },
      number: 7,
    });
    const paths = [
      ...['/history', '/settings', '/internal/files/input', '/internal/files/output', '/userdata/a.json'],
      '/view?filename=a.txt&type=input',
    ];
    const state = first.exportState();
    expect(state).not.toContain('a-secret');
    expect(state).not.toContain(first.apiKey);
    const second = await open({ dialect: 'local', state });
    expect(await answersOf(second, paths)).toEqual(await answersOf(first, paths));
    const { body } = await call(second, 'GET', '/queue');
    expect(body).toMatchObject({ queue_pending: [[7, waits, quick, { mark: 1 }, expect.anything()]] });
    expect(await submit(second, quick)).not.toBe(ended);
    expect(second.exportState().length).toBeGreaterThan(0);
  });

  it('of a cloud service has its jobs and files, and its queue begins anew', async () => {
    const keys = { acceptKeys: ['one', 'two'], concurrency: 1 };
    const first = await open(keys);
    const { promptId: ended } = await runToEnd(first, picture);
    const runs = await submit(first, endless);
    const waits = await submit(first, quick);
    const state = first.exportState();
    const second = await open({ ...keys, state });
    const history = `/api/history_v2/${ended}`;
    expect(await answersOf(second, [history])).toEqual(await answersOf(first, [history]));
    const { outputs } = (await call(first, 'GET', history)).body as {
      outputs: Record<string, { images: Data[] }>;
    };
    const name = String(Object.values(outputs)[0]?.images[0]?.['filename']);
    const { status, headers } = await call(second, 'GET', `/api/view?filename=${name}`);
    expect([status, (await fetch(headers.get('location') ?? '')).status]).toEqual([302, 200]);
    const { body } = await call(second, 'GET', '/api/queue');
    expect(JSON.stringify(body)).toContain(waits);
    await call(second, 'POST', '/api/queue', { delete: [runs] });
    const client = createClient({ ...second, apiKey: 'one' });
    const last = await lastValueFrom(client.follow(waits));
    expect(last.phase).toBe('completed');
    await client.close();
  });

  it('of a service of API v2 has jobs, assets, labels and used keys', async () => {
    const profile = { dialect: 'v2', profile: '2026-11', concurrency: 1 } as const;
    const first = await open(profile);
    const headers = { authorization: `Bearer ${first.apiKey}`, 'content-type': 'application/json' };
    const asset = await upload(first, '/api/v2/assets', 'file');
    const ended = await played(first, picture);
    const submission = { workflow: endless, metadata: { shop: 'b' } };
    const keyed = { ...headers, 'idempotency-key': 'used' };
    const { body: running } = await call(first, 'POST', '/api/v2/jobs', submission, keyed);
    const second = await open({ ...profile, state: first.exportState() });
    const documentOf = async ({ baseUrl }: typeof first, path: string): Promise<Data> => {
      const answer = await fetch(baseUrl + path, { headers });
      return (await answer.json()) as Data;
    };
    const stable = ({ outputs, ...rest }: Data): unknown => ({
      ...rest,
      outputs: (outputs as readonly Data[]).map(({ id, name, hash }) => ({ id, name, hash })),
    });
    const path = `/api/v2/jobs/${ended}`;
    expect(stable(await documentOf(second, path))).toEqual(stable(await documentOf(first, path)));
    const { id } = ((await documentOf(second, path))['outputs'] as readonly Data[])[0] ?? {};
    const content = await fetch(`${second.baseUrl}/api/v2/assets/${String(id)}/content`, { headers });
    expect([content.status, content.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await documentOf(second, `/api/v2/assets/${String(asset['id'])}`)).toMatchObject({
      hash: asset['hash'],
    });
    expect(await documentOf(second, `/api/v2/jobs/${String(running['id'])}`)).toMatchObject({
      metadata: { shop: 'b' },
    });
    expect((await call(second, 'POST', '/api/v2/jobs', submission, keyed)).status).toBe(422);
  });

  it.each<readonly [string, (state: Data) => unknown]>([
    ['no JSON', () => 'text'],
    ['no emulator saved this state', () => ({})],
    ['version 2', (state) => ({ ...state, version: 2 })],
    ['dialect v2', (state) => ({ ...state, dialect: 'v2' })],
    ['state.contents is no list', (state) => ({ ...state, contents: 1 })],
    ['state is no object', (state) => ({ ...state, value: [] })],
    ['state.queue is no list', (state) => ({ ...state, value: { ...(state['value'] as Data), queue: 1 } })],
    ['unknown kind', (state) => ({ ...state, value: { $: 'date' } })],
    ['no content 7', (state) => ({ ...state, value: { a: { $: 'bytes', at: 7 } } })],
    [
      'a value that must be an integer is not',
      (state) => ({ ...state, value: { $: 'integer', value: 'x' } }),
    ],
    ['entries are no list', (state) => ({ ...state, value: { $: 'map', entries: [[1, 2]] } })],
  ])('is refused where it is wrong: %s', async (what, change) => {
    const first = await open({ dialect: 'local' });
    const changed = change(JSON.parse(first.exportState()) as Data);
    const state = typeof changed === 'string' ? changed : JSON.stringify(changed);
    const error: unknown = await startEmulator({ dialect: 'local', state }).then(
      (emulator) => emulator.close(),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(InvalidState);
    expect(error).toMatchObject({ _tag: 'InvalidState', message: expect.stringContaining(what) as unknown });
  });

  it('is refused by fewer keys than it has accounts, and above its bound', async () => {
    const first = await open({ acceptKeys: ['one', 'two'] });
    await expect(startEmulator({ state: first.exportState() })).rejects.toThrow(
      '2 accounts, and this emulator 1',
    );
    await expect(startEmulator({ state: ' '.repeat(maxStateBytes + 1) })).rejects.toThrow(
      'more than 256 MiB',
    );
    expect(() => writeValues(new Uint8Array(30), 39)).toThrow(InvalidState);
    expect(writeValues(new Uint8Array(30), 40).contents).toHaveLength(1);
  });

  it('keeps values that JSON has not', () => {
    const bytes = new Uint8Array([1, 2]);
    const values = {
      ...{
        big: 2n ** 70n,
        not: Number.NaN,
        far: -Infinity,
        float: new PythonFloat(1),
        none: null,
        text: 'a',
      },
      ...{ map: new Map<string, unknown>([['__proto__', [bytes, bytes]]]), own: { $: 'map', entries: 1 } },
    };
    const written = writeValues(values, 1_000);
    expect(written.contents).toHaveLength(1);
    expect(readValues(JSON.parse(JSON.stringify(written)) as typeof written)).toEqual(values);
  });
});

const dialects: readonly Dialect[] = ['cloud', 'local', 'v2'];
it.each(dialects)('an exported state of dialect %s is exported as it was', async (dialect) => {
  const first = await open({ dialect });
  const state = first.exportState();
  expect((await open({ dialect, state })).exportState()).toBe(state);
});
