import { describe, expect, it } from 'vitest';
import { dialectCheck, storageCheck } from '../../../../src/cli/doctor/checks/service.js';
import { httpServer, sendJson } from '../../../helpers/http-server.js';

const patient = (baseUrl: string, settings: object = {}, rest: object = {}) =>
  ({
    ...{ settings: { baseUrl, ...settings }, url: new URL(baseUrl), io: { env: {} }, patienceMs: 5_000 },
    ...{ stop: new AbortController().signal, connect: () => Promise.resolve({ rest }) },
  }) as never;

describe('the check of the dialect', () => {
  it('takes no service for one of the dialect that it was just found not to be of', async () => {
    await using server = await httpServer(({ headers, url }, response) => {
      if (url === '/api/user' && headers['x-api-key'] === undefined)
        sendJson(response, 401, { message: 'no key' });
      else response.end('<html>');
    });
    const { status, message } = await dialectCheck.look(patient(server.origin, { apiKey: 'k' }));
    expect(status).toBe('failed');
    expect(message).toBe(`what answers at 127.0.0.1:${server.port} is no such service (200 to /api/user)`);
  });

  it('says that the service fails, and asks no more', async () => {
    await using server = await httpServer((_seen, response) => sendJson(response, 503, {}));
    expect(await dialectCheck.look(patient(server.origin))).toEqual({
      status: 'failed',
      message: 'the service answers 503',
      fix: 'Try again later, or ask its operator.',
    });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['local', '/system_stats', 200, { system: {} }],
    ['cloud', '/api/user', 403, {}],
    ['v2', '/api/v2/jobs?limit=1', 501, { error: { code: 'not_implemented' } }],
    ['v2', '/api/v2/jobs?limit=1', 200, { jobs: [] }],
  ] as const)('tells a service of the dialect %s by %s', async (dialect, path, status, body) => {
    await using server = await httpServer(({ url }, response) =>
      url === path ? sendJson(response, status, body) : response.writeHead(404).end(),
    );
    expect(await dialectCheck.look(patient(server.origin, { dialect }))).toEqual({
      status: 'ok',
      message: `the service is of the dialect ${dialect}`,
    });
    const other = dialect === 'local' ? 'cloud' : 'local';
    expect(await dialectCheck.look(patient(server.origin, { dialect: other }))).toMatchObject({
      message: `the service is of the dialect ${dialect}, and not ${other}`,
    });
  });
});

describe('the check of the storage', () => {
  /** A service that lists jobs, of which some have a record with outputs. */
  const listing = (ids: readonly string[], records: Readonly<Record<string, object>>) => {
    const asked: string[] = [];
    const right = (value: unknown) => () => Promise.resolve({ _tag: 'Right', right: value });
    const rest = {
      recentJobs: () => right(ids.map((promptId) => ({ promptId }))),
      history: (id: string) => {
        asked.push(id);
        const outputs = records[id];
        return outputs === undefined ? () => Promise.resolve({ _tag: 'Left' }) : right({ outputs });
      },
    };
    return { rest, asked };
  };

  it('looks for a file in three jobs, and takes no text for one', async () => {
    await using server = await httpServer((_seen, response) => response.end('bytes'));
    const file = { filename: 'a b.png', type: 'temp' };
    const outputs = { '1': { text: ['filename', 5, null] }, '2': { images: [{ x: 1 }, file] } };
    const found = listing(['a', 'b', 'c', 'd'], { b: outputs });
    expect(await storageCheck.look(patient(server.origin, {}, found.rest))).toEqual({
      status: 'ok',
      message: 'files come without a redirect',
    });
    expect(found.asked).toEqual(['a', 'b']);
    expect(server.seen[0]?.url).toBe('/api/view?filename=a+b.png&subfolder=&type=temp');

    const none = listing(['a', 'b', 'c', 'd'], { d: outputs });
    expect(await storageCheck.look(patient(server.origin, {}, none.rest))).toEqual({
      status: 'skipped',
      message: 'the account lists no job with a file yet',
    });
    expect(none.asked).toEqual(['a', 'b', 'c']);
  });

  it.each([
    [200, 'ok', /^files come from 127\.0\.0\.1:\d+$/u],
    [206, 'ok', /^files come from 127\.0\.0\.1:\d+$/u],
    [403, 'failed', /^the storage 127\.0\.0\.1:\d+ answers 403$/u],
  ])('asks the storage for one byte, without the key: %i', async (answer, status, message) => {
    await using storage = await httpServer((_seen, response) => response.writeHead(answer).end());
    await using server = await httpServer((_seen, response) =>
      response.writeHead(302, { location: `${storage.origin}/file` }).end(),
    );
    const { rest } = listing(['a'], { a: { '1': { images: [{ filename: 'a.png', subfolder: 's' }] } } });
    expect(await storageCheck.look(patient(server.origin, { apiKey: 'k' }, rest))).toMatchObject({
      status,
      message: expect.stringMatching(message) as string,
    });
    expect(server.seen[0]?.url).toBe('/api/view?filename=a.png&subfolder=s&type=output');
    expect(server.seen[0]?.headers['x-api-key']).toBe('k');
    const [seen] = storage.seen;
    expect([seen?.headers['range'], seen?.headers['x-api-key']]).toEqual(['bytes=0-0', undefined]);
  });

  it.each([
    [404, {}],
    [302, {}],
    [302, { location: '/relative' }],
  ])('says what else is answered: %i with %o', async (code, headers) => {
    await using server = await httpServer((_seen, response) => response.writeHead(code, headers).end());
    const { rest } = listing(['a'], { a: { '1': { images: [{ filename: 'a.png' }] } } });
    expect(await storageCheck.look(patient(server.origin, {}, rest))).toMatchObject({
      status: 'failed',
      message: `a file of a job is answered ${code}`,
    });
  });
});
