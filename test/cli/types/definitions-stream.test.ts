import { Agent } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { definitionsOfFile, streamedDefinitions } from '../../../src/cli/types/definitions-stream.js';
import { createClient } from '../../../src/node.js';
import { httpServer, sendJson } from '../../helpers/http-server.js';

const textOf = async (source: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const bytes of source) chunks.push(bytes);
  return Buffer.concat(chunks).toString();
};

const sessionFor = (baseUrl: string) => {
  const options = { baseUrl, dialect: 'local' } as const;
  const client = createClient(options);
  return {
    settings: () => Promise.resolve(options),
    connect: () => Promise.resolve(client),
    stop: new AbortController().signal,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
};

const definition = { input: {}, output: ['IMAGE'], output_node: false, name: 'A', category: 'c' };

describe('the node classes of the service', () => {
  it('are given up where it falls silent in the middle', async () => {
    await using server = await httpServer((_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"A": {');
    });
    await using session = sessionFor(server.origin);
    const texts: string[] = [];
    const reading = (async () => {
      for await (const bytes of streamedDefinitions(session, 1000)) texts.push(Buffer.from(bytes).toString());
    })();
    await expect(reading).rejects.toMatchObject({
      _tag: 'Network',
      code: 'ETIMEDOUT',
      message: 'The list of node classes broke off: nothing came for 1000 ms',
    });
    expect(texts.join('')).toBe('{"A": {');
  });

  it('come as they are sent', async () => {
    const sent = `{"A": ${JSON.stringify(definition)}, "odd": NaN}`;
    await using server = await httpServer((_seen, response) => response.end(sent));
    await using session = sessionFor(`${server.origin}/sub//`);
    expect(await textOf(streamedDefinitions(session))).toBe(sent);
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /sub/api/object_info']);
  });

  it('come by the call of the client where the first request is not answered', async () => {
    let asked = 0;
    await using server = await httpServer((_seen, response) => {
      asked += 1;
      if (asked === 1) sendJson(response, 503, { message: 'later' });
      else sendJson(response, 200, { A: definition });
    });
    await using session = sessionFor(server.origin);
    expect(JSON.parse(await textOf(streamedDefinitions(session)))).toEqual({ A: definition });
    expect(asked).toBe(2);
  });

  it('are refused with what the service says', async () => {
    await using server = await httpServer((_seen, response) => sendJson(response, 404, { message: 'no' }));
    await using session = sessionFor(server.origin);
    await expect(textOf(streamedDefinitions(session))).rejects.toMatchObject({ _tag: 'NotFound' });
  });

  it('that break off are no whole list, and the request had left', async () => {
    await using server = await httpServer((_seen, response, request) => {
      response.writeHead(200);
      response.write('{"A": {', () => request.socket.resetAndDestroy());
    });
    await using session = sessionFor(server.origin);
    await expect(textOf(streamedDefinitions(session))).rejects.toMatchObject({
      _tag: 'Network',
      sent: true,
      message: expect.stringMatching(/^The list of node classes broke off: (?!\w*Error)./u) as string,
    });
  });

  it('come by the agent of the settings, which may be that of a proxy', async () => {
    await using server = await httpServer((_seen, response) => response.end('{}'));
    await using session = sessionFor(server.origin);
    const agent = new Agent();
    const connects = vi.spyOn(agent, 'createConnection');
    const settings = () => Promise.resolve({ baseUrl: server.origin, dialect: 'local', agent } as const);
    expect(await textOf(streamedDefinitions({ ...session, settings }))).toBe('{}');
    expect(connects).toHaveBeenCalledOnce();
  });

  it('end with the command', async () => {
    await using server = await httpServer((_seen, response) => {
      response.writeHead(200);
      response.write('{"A": {');
    });
    const stop = new AbortController();
    await using session = sessionFor(server.origin);
    const source = streamedDefinitions({ ...session, stop: stop.signal });
    const first = await source.next();
    expect(first.done === true ? '' : Buffer.from(first.value).toString()).toBe('{"A": {');
    stop.abort();
    await expect(source.next()).rejects.not.toHaveProperty('_tag');
  });

  it.each([
    [{ apiKey: 'k' }, { 'x-api-key': 'k' }],
    [
      { apiKey: 'k', auth: 'bearer', workspace: 'w' },
      { authorization: 'Bearer k', 'x-comfy-workspace-id': 'w' },
    ],
    [{ workspace: 'w', headers: [['X-Team', 'a']] }, { 'x-team': 'a' }],
  ])('are asked for with the key and own headers: %o', async (options, headers) => {
    await using server = await httpServer((_seen, response) => response.end('{}'));
    await using session = sessionFor(server.origin);
    const settings = () => Promise.resolve({ baseUrl: server.origin, ...options } as never);
    expect(await textOf(streamedDefinitions({ ...session, settings }))).toBe('{}');
    const names = ['x-api-key', 'authorization', 'x-comfy-workspace-id', 'x-team'];
    const [seen] = server.seen;
    const own = Object.entries(seen?.headers ?? {}).filter(([name]) => names.includes(name));
    expect(Object.fromEntries(own)).toEqual(headers);
  });
});

describe('the node classes of a file', () => {
  const thisFile = join(import.meta.dirname, 'definitions-stream.test.ts');
  const stop = new AbortController().signal;
  const sessionOf = (...chunks: readonly unknown[]) =>
    ({ io: { stdin: Readable.from(chunks) }, stop }) as never;

  it('are read from standard input for `-`, as text or as bytes', async () => {
    expect(await textOf(definitionsOfFile('-', sessionOf('{"é"', Buffer.from(':{}}'))))).toBe('{"é":{}}');
  });

  it('are read from the file, whatever standard input has', async () => {
    const text = await textOf(definitionsOfFile(thisFile, sessionOf('input')));
    expect(text).toContain('are read from the file');
  });

  it('of a file that can not be read are a wrong use of the command, which names it', async () => {
    await expect(textOf(definitionsOfFile('/none/at-all.json', sessionOf()))).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/^can't read \/none\/at-all\.json: ./u) as string,
    });
  });

  it('end with the command', async () => {
    const ended = { io: { stdin: Readable.from([]) }, stop: AbortSignal.abort() } as never;
    await expect(textOf(definitionsOfFile(thisFile, ended))).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
