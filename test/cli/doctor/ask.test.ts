import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { agentOf, ask, credentials, jsonOf, reason } from '../../../src/cli/doctor/ask.js';
import { httpServer } from '../../helpers/http-server.js';

const patient = (baseUrl: string, settings: object = {}, patienceMs = 5_000) => ({
  ...{ settings: { baseUrl, ...settings }, url: new URL(baseUrl), patienceMs },
  ...{ stop: new AbortController().signal, io: { env: {} } },
  ...{ connect: () => Promise.reject(new Error('none')), out: '.', origin: undefined, redis: undefined },
});

describe('what the doctor asks', () => {
  it('goes below the address, with key and headers, to its own origin alone', async () => {
    await using own = await httpServer((_seen, response) => response.end('{"a":1}'));
    await using other = await httpServer((_seen, response) => response.end('x'));
    const one = patient(`${own.origin}/sub/`, { apiKey: 'k', headers: [['X-Team', 'a']] });
    const answer = await ask(one, '/api/user');
    expect([answer.status, answer.text, jsonOf(answer)]).toEqual([200, '{"a":1}', { a: 1 }]);
    await ask(one, new URL(`${other.origin}/file`), { headers: { range: 'bytes=0-0' } });
    await ask(one, '/api/user', { withKey: false, method: 'OPTIONS' });
    const keyOf = ({
      headers,
    }: {
      readonly headers: Readonly<Record<string, unknown>>;
    }): readonly unknown[] => [...[headers['x-api-key'], headers['x-team'], headers['range']]];
    expect(own.seen.map((seen) => [seen.method, seen.url, ...keyOf(seen)])).toEqual([
      ['GET', '/sub/api/user', 'k', 'a', undefined],
      ['OPTIONS', '/sub/api/user', undefined, undefined, undefined],
    ]);
    expect(other.seen.map((seen) => [seen.url, ...keyOf(seen)])).toEqual([
      ['/file', undefined, undefined, 'bytes=0-0'],
    ]);
  });

  it('follows no redirect', async () => {
    await using server = await httpServer((_seen, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const { status, headers } = await ask(patient(server.origin), '/');
    expect([status, headers['location'], server.seen.length]).toEqual([302, '/elsewhere', 1]);
  });

  it('reads the beginning of a long answer, which need not end', async () => {
    await using server = await httpServer((_seen, response) => response.write('x'.repeat(100_000)));
    const { text } = await ask(patient(server.origin), '/');
    expect(text.length).toBeGreaterThan(65_536);
  });

  it('reads letters whole that come in two pieces', async () => {
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    await using server = await httpServer((_seen, response) => {
      response.write(first, () => response.end(second));
    });
    expect((await ask(patient(server.origin), '/')).text).toBe('é');
  });

  it('rejects where no answer comes, and where it breaks off', async () => {
    await using server = await httpServer((_seen, response, request) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('x', () => request.socket.destroy());
    });
    await expect(ask(patient(server.origin), '/')).rejects.toThrow();
    await expect(ask(patient('http://127.0.0.1:1'), '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await using silent = await httpServer(() => undefined);
    const late = await ask(patient(silent.origin, {}, 1), '/').catch(reason);
    expect(late).toBe('no answer in time');
    const stopped = { ...patient(silent.origin), stop: AbortSignal.abort() };
    expect(await ask(stopped, '/').catch(reason)).toBe('no answer in time');
  });
});

describe('the headers of settings', () => {
  it.each([
    [{}, {}],
    [{ apiKey: 'k' }, { 'x-api-key': 'k' }],
    [{ apiKey: 'k', auth: 'key' }, { 'x-api-key': 'k' }],
    [{ apiKey: 'k', auth: 'bearer' }, { authorization: 'Bearer k' }],
    [{ apiKey: 'k', dialect: 'v2' }, { authorization: 'Bearer k' }],
    [{ headers: [['A', 'b']] }, { A: 'b' }],
  ] as const)('are those of the client: %o', (settings, headers) => {
    expect(credentials({ baseUrl: 'http://a', ...settings })).toEqual(headers);
  });
});

it('the agent of settings is one for all addresses, or one for each', () => {
  const [one, other] = [new Agent(), new Agent()];
  const url = new URL('https://a.example');
  expect(agentOf({ baseUrl: 'http://a', agent: one }, url)).toBe(one);
  const byUrl = ({ protocol }: URL): Agent => (protocol === 'https:' ? other : one);
  expect(agentOf({ baseUrl: 'http://a', agent: byUrl }, url)).toBe(other);
  expect(agentOf({ baseUrl: 'http://a' }, url)).toBeUndefined();
});

it('a body that is no JSON is none', () => {
  const of = (text: string): unknown => jsonOf({ status: 200, headers: {}, text });
  expect([of('{'), of(''), of('null'), of('5')]).toEqual([undefined, undefined, null, 5]);
});

it.each([
  [Object.assign(new Error('long words'), { code: 'ENOTFOUND' }), 'ENOTFOUND'],
  [new Error('words'), 'words'],
  [Object.assign(new Error('aborted'), { name: 'AbortError' }), 'no answer in time'],
  [Object.assign(new Error('late'), { name: 'TimeoutError' }), 'no answer in time'],
  ['text', 'unknown reason'],
])('the reason of %o is %s', (error, text) => {
  expect(reason(error)).toBe(text);
});
