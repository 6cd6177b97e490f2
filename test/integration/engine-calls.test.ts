import * as E from 'fp-ts/lib/Either.js';
import { createClient, type Client, toPromise, type ServiceError } from '../../src/node.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type EmulatorOptions,
  startEmulator,
  textToImageWorkflow,
  virtualClock,
} from '../../src/emulator.js';
import * as codecs from '../../src/codecs.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

const started = async (options: EmulatorOptions = { dialect: 'local' }) => {
  const emulator = await startEmulator({ speed: Infinity, ...options });
  const client = createClient(emulator);
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  return { emulator, client, rest: client.rest };
};

const errorOf = async <A>(call: TaskEither<ServiceError, A>): Promise<ServiceError | undefined> => {
  const answer = await call();
  return E.isLeft(answer) ? answer.left : undefined;
};

const run = async (client: Client, seed: number): Promise<string> => {
  const workflow = textToImageWorkflow({ steps: 1, width: 64, height: 64, seed });
  const job = await toPromise(client.submit(workflow));
  await toPromise(job.outputs);
  return job.promptId;
};

describe('what an engine tells of itself', () => {
  it('lists models, embeddings and scripts', async () => {
    const { rest } = await started();
    expect(await toPromise(rest.models())).toEqual(expect.arrayContaining(['checkpoints', 'loras', 'vae']));
    expect(await toPromise(rest.models('loras'))).toEqual([]);
    expect(await toPromise(rest.models('checkpoints'))).toEqual([
      'scenery-v1.safetensors',
      'scenery-v2.safetensors',
    ]);
    for (const folder of ['no/such folder', '..', '%2e%2e', '', 'a\ud800'])
      expect(await errorOf(rest.models(folder))).toMatchObject({ _tag: 'NotFound' });
    expect(await toPromise(rest.embeddings())).toEqual([]);
    expect(await toPromise(rest.extensions())).toEqual([]);
  });

  it('lists the records of its history by position, the oldest first', async () => {
    const { client, rest } = await started();
    const ids = [await run(client, 1), await run(client, 2), await run(client, 3)];
    const listed = async (page?: Parameters<typeof rest.historyList>[0]) =>
      (await toPromise(rest.historyList(page))).map(({ promptId }) => promptId);
    expect(await listed()).toEqual(ids);
    expect(await listed({ max: 1 })).toEqual(ids.slice(2));
    expect(await listed({ max: 2, offset: 0 })).toEqual(ids.slice(0, 2));
    expect(await listed({ offset: 1 })).toEqual(ids.slice(1));
    expect((await toPromise(rest.historyList({ max: 1 })))[0]).toMatchObject({
      phase: 'completed',
      isFinal: true,
      outputs: { '9': { images: [{ type: 'output' }] } },
    });
  });

  it.each([
    ['max', 0],
    ['max', -1],
    ['max', 1.5],
    ['max', NaN],
    ['max', Infinity],
    ['offset', -1],
    ['offset', 0.5],
    ['offset', '1'],
  ])('refuses records by %s %j, and sends nothing', async (option, value) => {
    const { emulator, rest } = await started();
    expect(await errorOf(rest.historyList({ [option]: value }))).toMatchObject({
      ...{ _tag: 'InvalidConfig', option, hint: 'Nothing was sent. Leave it out, or give one.' },
      message: `${option} is no whole number from ${option === 'max' ? 1 : 0}.`,
    });
    expect(emulator.requests).toEqual([]);
  });

  it('tells its log with times, and the size of its terminal', async () => {
    const { client, rest } = await started();
    await run(client, 1);
    const { entries, size } = await toPromise(rest.engineLogs());
    expect(entries[0]).toEqual({ time: expect.stringMatching(/^\d{4}-/u) as string, text: 'got prompt\n' });
    expect(size).toEqual({ columns: 80, rows: 24 });
  });

  it('runs a workflow as a whole again once its memory was freed, and not where only models were unloaded', async () => {
    const { client, rest } = await started();
    const cachedIn = async (): Promise<number> => {
      const id = await run(client, 1);
      const { record } = await toPromise(rest.history(id));
      const { messages } = record['status'] as { messages: [string, { nodes?: string[] }][] };
      return messages.find(([name]) => name === 'execution_cached')?.[1].nodes?.length ?? -1;
    };
    expect(await cachedIn()).toBe(0);
    await toPromise(rest.free());
    expect(await cachedIn()).toBeGreaterThan(0);
    await toPromise(rest.free({ freeMemory: true }));
    expect(await cachedIn()).toBe(0);
  });
});

describe('the files of the user', () => {
  it('are written, listed, read and deleted', async () => {
    const clock = virtualClock(Date.UTC(2026, 10, 26));
    const { rest } = await started({ dialect: 'local', clock });
    const graph = '{"seed": 12345678901234567890, "name": "Zürich"}';
    await toPromise(rest.writeUserdata('workflows/portrait.json', graph));
    await toPromise(rest.writeUserdata('workflows/below/other.json', '{}'));
    expect(await toPromise(rest.readUserdata('workflows/portrait.json'))).toBe(graph);
    const at = clock.now();
    expect(await toPromise(rest.listUserdata('workflows'))).toEqual([
      { path: 'portrait.json', size: Buffer.byteLength(graph), modifiedAt: at, createdAt: at },
    ]);
    const all = await toPromise(rest.listUserdata('workflows', { recurse: true }));
    expect(all.map(({ path }) => path)).toEqual(['portrait.json', 'below/other.json']);
    await toPromise(rest.deleteUserdata('workflows/portrait.json'));
    expect(await errorOf(rest.readUserdata('workflows/portrait.json'))).toMatchObject({ _tag: 'NotFound' });
    expect(await errorOf(rest.deleteUserdata('workflows/portrait.json'))).toMatchObject({ _tag: 'NotFound' });
  });

  it('are replaced only where the program says so', async () => {
    const { rest } = await started();
    await toPromise(rest.writeUserdata('a.txt', 'one'));
    expect(await errorOf(rest.writeUserdata('a.txt', 'two'))).toMatchObject({
      ...{ _tag: 'BadRequest', status: 409, retry: 'never', endpoint: 'POST /api/userdata/a.txt' },
      message: 'The engine has a file a.txt already (409).',
      hint: 'Nothing was written. Give the file another name, or replace it with overwrite: true.',
    });
    expect(await toPromise(rest.readUserdata('a.txt'))).toBe('one');
    await toPromise(rest.writeUserdata('a.txt', 'two', { overwrite: true }));
    expect(await toPromise(rest.readUserdata('a.txt'))).toBe('two');
  });

  it('are refused outside of the folder of the user, and where there is none', async () => {
    const { rest } = await started();
    expect(await errorOf(rest.listUserdata('../secrets'))).toMatchObject({ _tag: 'Forbidden' });
    expect(await errorOf(rest.readUserdata('../secrets'))).toMatchObject({ _tag: 'Forbidden' });
    expect(await errorOf(rest.listUserdata('nothing'))).toMatchObject({ _tag: 'NotFound' });
    expect(await errorOf(rest.listUserdata(''))).toMatchObject({ _tag: 'BadRequest' });
  });

  it('have the names that they are given, also with dots, percent signs and spaces', async () => {
    const { rest } = await started();
    const names = ['..a', 'a..b.json', '%2e%2e', '50%25 done', '100%', 'a%2Fb', 'Zürich 🌍', "it's (1) & #?"];
    for (const name of names) await toPromise(rest.writeUserdata(`below %2F/${name}`, name));
    for (const name of names) expect(await toPromise(rest.readUserdata(`below %2F/${name}`))).toBe(name);
    const listed = (await toPromise(rest.listUserdata('below %2F'))).map(({ path }) => path);
    // An engine lists no name that begins with a dot.
    expect(listed.toSorted()).toEqual(names.slice(1).toSorted());
    for (const name of names) await toPromise(rest.deleteUserdata(`below %2F/${name}`));
    // The folder itself stays.
    expect(await toPromise(rest.listUserdata('below %2F'))).toEqual([]);
  });

  it.each(['', '.', '..', 'a\ud800.txt', undefined])(
    'are not asked for by %j, which no address can carry as it is',
    async (name) => {
      const { emulator, rest } = await started();
      const file = name as string;
      for (const call of [rest.readUserdata(file), rest.writeUserdata(file, ''), rest.deleteUserdata(file)])
        expect(await errorOf(call as TaskEither<ServiceError, unknown>)).toMatchObject({
          ...{ _tag: 'InvalidConfig', option: 'file', message: 'file is no path of a file.' },
          hint: expect.stringContaining('Nothing was sent.') as string,
        });
      expect(emulator.requests).toEqual([]);
    },
  );

  it.each(['..%2fsecrets', '%2e%2e/secrets'])(
    'take a name with a percent sign as it is: %s',
    async (name) => {
      const { rest } = await started();
      for (const call of [rest.listUserdata(name), rest.readUserdata(name)])
        expect(await errorOf(call as TaskEither<ServiceError, unknown>)).toMatchObject({ _tag: 'NotFound' });
      await toPromise(rest.writeUserdata(name, 'here'));
      expect(await toPromise(rest.readUserdata(name))).toBe('here');
    },
  );

  it('are read up to the bound of an answer', async () => {
    const { emulator, rest } = await started();
    await toPromise(rest.writeUserdata('a.txt', 'x'.repeat(2_000)));
    await using client = createClient({ ...emulator, maxAnswerBytes: 1_000 });
    expect(await errorOf(client.rest.readUserdata('a.txt'))).toMatchObject({
      _tag: 'Decode',
      option: 'maxAnswerBytes',
    });
  });
});

describe('the codecs take what an engine answers', () => {
  it.each([
    ['/api/models', codecs.namesCodec],
    ['/api/embeddings', codecs.namesCodec],
    ['/api/userdata?dir=workflows&full_info=true', codecs.userdataFilesCodec],
    ['/api/userdata?dir=workflows', codecs.userdataFilesCodec],
    ['/internal/logs/raw', codecs.engineLogsCodec],
    ['/api/system_stats', codecs.systemStatsCodec],
  ])('%s', async (path, codec) => {
    const { emulator, rest } = await started();
    await toPromise(rest.writeUserdata('workflows/a.json', '{}'));
    const answer: unknown = await (await fetch(emulator.baseUrl + path)).json();
    expect(codec.is(answer)).toBe(true);
  });
});

describe.each(['cloud', 'v2'] as const)('calls of an engine with dialect %s', (dialect) => {
  it('are not supported, and send nothing', async () => {
    const { emulator, rest } = await started({ dialect });
    const calls = [
      ...[rest.models(), rest.embeddings(), rest.extensions(), rest.free(), rest.historyList()],
      ...[rest.engineLogs(), rest.listUserdata('a'), rest.readUserdata('a')],
      ...[rest.writeUserdata('a', ''), rest.deleteUserdata('a')],
    ];
    for (const call of calls)
      expect(await errorOf(call as TaskEither<ServiceError, unknown>)).toMatchObject({
        _tag: 'NotSupported',
        hint: expect.stringContaining("dialect: 'local'") as string,
      });
    expect(emulator.requests).toEqual([]);
  });

  it('but the stats of the machine are asked for, and are not supported where the service has none', async () => {
    const { rest } = await started({ dialect });
    const answer = await rest.systemStats()();
    if (dialect === 'cloud') expect(answer).toMatchObject({ right: { devices: [] } });
    else expect(answer).toMatchObject({ left: { _tag: 'NotSupported', hint: expect.any(String) as string } });
  });
});
