import type { Call } from '../../src/core/interop/call.js';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/client/dialects/dialects.js';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import type { HttpConnection } from '../../src/core/http/connection.js';
import { laterEngine, noEngine } from '../../src/core/http/later-engine.js';

/** The calls of an engine with this answer, and what they asked for. */
const engine = (answer: FakeAnswer, more: Partial<HttpConnection> = {}) => {
  const platform = fakePlatform(() => answer);
  const connection = httpConnection(platform, { dialect: dialects.local.http, ...more });
  const asked = () =>
    platform.requests.map(({ method, url, json }) => {
      const address = `${method} ${url.slice('http://127.0.0.1:9'.length)}`;
      return json === undefined ? address : `${address} ${json}`;
    });
  const { unread, clock } = platform;
  return { rest: laterEngine(connection), asked, unread, pending: clock.pending };
};

describe('the calls of an engine', () => {
  it.each<readonly [string, (rest: ReturnType<typeof laterEngine>) => Call<unknown>, FakeAnswer]>([
    ['GET /api/models', (rest) => rest.models(), { body: ['loras'] }],
    ['GET /api/models/a%20b', (rest) => rest.models('a b'), { body: ['x'] }],
    ['GET /api/embeddings', (rest) => rest.embeddings(), { body: ['x'] }],
    ['GET /api/extensions', (rest) => rest.extensions(), { body: ['x'] }],
    [
      'GET /api/history?max_items=2&offset=1',
      (rest) => rest.historyList({ max: 2, offset: 1 }),
      { body: {} },
    ],
    ['GET /api/history', (rest) => rest.historyList(), { body: {} }],
    ['GET /internal/logs/raw', (rest) => rest.engineLogs(), { body: { entries: [] } }],
    ['DELETE /api/userdata/a.txt', (rest) => rest.deleteUserdata('a.txt'), { status: 204 }],
    ['GET /api/userdata/w%2Fa.txt', (rest) => rest.readUserdata('w/a.txt'), { body: 'text' }],
  ])('are %s', async (address, call, answer) => {
    const { rest, asked, unread, pending } = engine(answer);
    expect(await call(rest)()).toMatchObject({ _tag: 'Right' });
    expect([asked(), unread(), pending()]).toEqual([[address], [], 0]);
  });

  it('list the files of a folder, with those below it where that is asked for', async () => {
    const { rest, asked } = engine({ body: [{ path: 'a.txt', size: 3 }] });
    expect(rightOf(await rest.listUserdata('w')())).toEqual([{ path: 'a.txt', size: 3 }]);
    await rest.listUserdata('w', { recurse: true })();
    const address = (recurse: boolean) =>
      `GET /api/userdata?dir=w&recurse=${recurse}&split=false&full_info=true`;
    expect(asked()).toEqual([address(false), address(true)]);
  });

  it('free what they are told to, and models where they are told nothing', async () => {
    const { rest, asked } = engine({ status: 200 });
    await rest.free()();
    await rest.free({ freeMemory: true })();
    expect(asked()[0]).toContain('"unload_models":true');
    expect(asked()[1]).toContain('"free_memory":true');
  });

  it('write a file, and replace one only where they are told to', async () => {
    const { rest, asked } = engine({ body: '"a.txt"' });
    await rest.writeUserdata('a.txt', 'one')();
    await rest.writeUserdata('a.txt', 'two', { overwrite: true })();
    expect(asked()).toEqual([
      'POST /api/userdata/a.txt?overwrite=false one',
      'POST /api/userdata/a.txt?overwrite=true two',
    ]);
    const taken = engine({ status: 409, headers: { 'x-request-id': 'r1' } });
    expect(leftOf(await taken.rest.writeUserdata('a.txt', 'one')())).toMatchObject({
      ...{ _tag: 'BadRequest', status: 409, endpoint: 'POST /api/userdata/a.txt', requestId: 'r1' },
      message: 'The engine has a file a.txt already (409).',
      hint: expect.stringMatching(/^Nothing was written\..*overwrite: true/u) as string,
    });
    const broken = engine({ status: 403 });
    expect(leftOf(await broken.rest.writeUserdata('a.txt', 'one')())).toMatchObject({ status: 403 });
  });

  it.each([undefined, 7, '', '.', '..', 'a\ud800'])('send nothing for the file %j', async (name) => {
    const { rest, asked } = engine({ body: 'text' });
    const file = name as string;
    const calls: readonly Call<unknown>[] = [
      ...[rest.readUserdata(file), rest.writeUserdata(file, ''), rest.deleteUserdata(file)],
    ];
    for (const call of calls)
      expect(leftOf(await call())).toMatchObject({ _tag: 'InvalidConfig', option: 'file' });
    expect(asked()).toEqual([]);
  });

  it('take names with dots that lead nowhere', async () => {
    const { rest, asked } = engine({ body: 'text' });
    for (const file of ['...', '.a', 'a..b']) expect(rightOf(await rest.readUserdata(file)())).toBe('text');
    expect(asked()).toHaveLength(3);
  });

  it.each([
    [{ max: 0 }, 'max', 1],
    [{ max: 1.5 }, 'max', 1],
    [{ max: NaN, offset: -1 }, 'max', 1],
    [{ offset: -1 }, 'offset', 0],
    [{ offset: '1' as never }, 'offset', 0],
  ] as const)('send nothing for records by %j', async (page, option, least) => {
    const { rest, asked } = engine({ body: {} });
    expect(leftOf(await rest.historyList(page)())).toMatchObject({
      ...{ _tag: 'InvalidConfig', option, message: `${option} is no whole number from ${least}.` },
    });
    expect(asked()).toEqual([]);
  });

  it('read a file of 8 MiB, or of as much as an answer may have, and no larger one', async () => {
    const text = 'x'.repeat(8 * 2 ** 20);
    expect(rightOf(await engine({ body: text }).rest.readUserdata('a')()).length).toBe(text.length);
    const larger = engine({ body: `${text}x` });
    expect(leftOf(await larger.rest.readUserdata('a')())).toMatchObject({
      ...{ _tag: 'Decode', option: 'maxAnswerBytes', status: 200, endpoint: 'GET /api/userdata/a' },
      ...{ message: `The file is larger than ${text.length} bytes.` },
    });
    expect(larger.unread()).toEqual([]);
    expect(larger.pending()).toBe(0);
    const last = engine({ status: 299, body: 'abc' });
    expect(rightOf(await last.rest.readUserdata('a')())).toBe('abc');
    const few = { maxAnswerBytes: 3 };
    expect(rightOf(await engine({ body: 'abc' }, few).rest.readUserdata('a')())).toBe('abc');
    expect(leftOf(await engine({ body: 'abcd' }, few).rest.readUserdata('a')())).toMatchObject({
      ...{ _tag: 'Decode', message: 'The file is larger than 3 bytes.' },
    });
  });

  it('are refused as the engine says, also where the answer is a file', async () => {
    const { rest, unread } = engine({ status: 404, body: 'no such file' });
    expect(leftOf(await rest.readUserdata('a')())).toMatchObject({ _tag: 'NotFound', status: 404 });
    expect(unread()).toEqual([]);
  });
});

it('a server of another dialect has no call of an engine, and is sent nothing', async () => {
  const names = Object.keys(noEngine) as (keyof typeof noEngine)[];
  expect(names.toSorted()).toEqual(Object.keys(engine({}).rest).toSorted());
  for (const name of names) {
    const call = noEngine[name] as unknown as () => Call<unknown>;
    expect(leftOf(await call()())).toMatchObject({
      ...{
        _tag: 'NotSupported',
        message: expect.stringContaining('A server of this dialect has no ') as string,
      },
      ...{ hint: expect.stringContaining('Nothing was sent.') as string },
    });
  }
  expect(leftOf(await noEngine.embeddings()()).message).toContain('no embeddings.');
});
