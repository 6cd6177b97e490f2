import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { bodyText } from '../../helpers/body-text.js';
import type { HttpRequest } from '../../../src/core/platform/platform.js';
import { httpClientRequests, nodeRequests } from '../../../src/core/platform/node/requests.js';
import type { NodeAgentsOptions } from '../../../src/core/platform/node/agents.js';
import { httpServer, sendJson } from '../../helpers/http-server.js';

const senders = { nodeRequests, httpClientRequests };
const opened = { nodeRequests: nodeRequests(), httpClientRequests: httpClientRequests() };
afterAll(() => Promise.all(Object.values(opened).map(({ close }) => close())));

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => {
      throw new Error('expected a rejection');
    },
    (cause: unknown) => cause,
  );

/** A port that nobody listens on. */
const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** Answers with the port of the other end, which tells connections apart. */
const portServer = () =>
  httpServer((_, response, incoming) => {
    response.end(String(incoming.socket.remotePort));
  });

describe.each([
  ['nodeRequests', 'a call', {}],
  ['nodeRequests', 'a streamed file', { streamed: true }],
  ['httpClientRequests', 'a call', {}],
] as const)('%s, %s', (sender, _, kind) => {
  const { request } = opened[sender];
  const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
    method: 'GET',
    url,
    headers: {},
    ...kind,
    ...more,
  });

  it('sends method, path, headers and JSON, and gives status, headers and body', async () => {
    await using server = await httpServer((_, response) => {
      response.setHeader('x-two', ['a', 'b']);
      sendJson(response, 201, { ok: true });
    });
    const url = `${server.origin}/api/x?a=b+c`;
    const response = await request({
      ...get(url),
      method: 'POST',
      headers: { 'x-api-key': 'k' },
      json: '{"a":1}',
    });
    expect(response.status).toBe(201);
    expect(response.headers['x-two']).toBe('a, b');
    expect(await bodyText(response)).toBe('{"ok":true}');
    const seen = server.seen[0]!;
    expect([seen.method, seen.url, seen.headers['x-api-key'], seen.body.toString()]).toEqual([
      'POST',
      '/api/x?a=b+c',
      'k',
      '{"a":1}',
    ]);
  });

  it('follows no redirect', async () => {
    await using target = await httpServer((_, response) => response.end());
    await using server = await httpServer((_, response) => {
      response.writeHead(302, { location: `${target.origin}/x` }).end();
    });
    const response = await request(get(`${server.origin}/`));
    response.discard();
    expect([response.status, response.headers['location']]).toEqual([302, `${target.origin}/x`]);
    expect(target.seen).toHaveLength(0);
  });

  it('tells once when the request leaves', async () => {
    await using server = await httpServer((_, response) => response.end());
    let sent = 0;
    await bodyText(await request(get(`${server.origin}/`, { onSent: () => (sent += 1) })));
    expect(sent).toBe(1);
  });

  it('knows that nothing left where nobody listens', async () => {
    const port = await freePort();
    let sent = 0;
    const url = `http://127.0.0.1:${port}/?token=secret`;
    const cause = await failureOf(
      request({ ...get(url), method: 'POST', json: '{}', onSent: () => (sent += 1) }),
    );
    expect(cause).toMatchObject({ code: 'ECONNREFUSED', sent: false });
    expect(String(cause)).not.toContain('secret');
    expect(sent).toBe(0);
  });

  it('knows that something left where the connection is cut before the answer', async () => {
    await using server = await httpServer((_, _response, incoming) => incoming.socket.destroy());
    const cause = await failureOf(request({ ...get(`${server.origin}/`), method: 'POST', json: '{}' }));
    expect(cause).toMatchObject({ sent: true });
    expect(server.seen).toHaveLength(1);
  });

  it.each([65_536, 70_000, 131_072, 200_000])(
    'G9 reads a body of %d bytes that ends with its connection, however slowly it is read',
    async (size) => {
      await using server = await httpServer((_, response) => {
        response.useChunkedEncodingByDefault = false;
        response.end(Buffer.alloc(size, 97));
      });
      for (const method of ['GET', 'POST'] as const) {
        let read = 0;
        for await (const { byteLength } of (await request({ ...get(server.origin), method })).body) {
          read += byteLength;
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect(read).toBe(size);
      }
    },
  );

  it('rejects the body that is cut', async () => {
    await using server = await httpServer((_, response, incoming) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('some', () => incoming.socket.destroy());
    });
    const cause = await failureOf(request(get(`${server.origin}/`)).then(bodyText));
    expect(cause).toMatchObject({ sent: true, message: 'the connection failed' });
  });

  it('rejects with the reason of its signal, before and while it waits', async () => {
    await using server = await httpServer(() => undefined);
    const reason = new Error('enough');
    const early = request(get(server.origin, { signal: AbortSignal.abort(reason) }));
    expect(await failureOf(early)).toBe(reason);
    expect(server.seen).toHaveLength(0);

    const controller = new AbortController();
    const waiting = request(get(server.origin, { signal: controller.signal }));
    server.server.once('request', () => controller.abort(reason));
    expect(await failureOf(waiting)).toBe(reason);
  });

  it('rejects unusable addresses without quoting them', async () => {
    for (const url of ['nonsense secret', 'http://127.0.0.1:99999/secret', 'ftp://127.0.0.1/secret']) {
      const cause = await failureOf(request(get(url)));
      expect(cause).toMatchObject({ sent: false });
      expect(JSON.stringify(cause) + String(cause)).not.toContain('secret');
    }
  });

  it('rejects unusable headers without quoting them', async () => {
    const cause = await failureOf(
      request(get('http://127.0.0.1:9/', { headers: { 'x-api-key': 'sec\nret' } })),
    );
    expect(JSON.stringify(cause) + String(cause)).not.toContain('ret"');
    expect(cause).toMatchObject({ sent: false });
  });

  it('gives the connection up when the body is discarded', async () => {
    let free = (): void => undefined;
    const gone = new Promise<void>((resolve) => (free = resolve));
    await using server = await httpServer((_, response, incoming) => {
      incoming.socket.once('close', () => free());
      response.writeHead(200);
      response.write('x'.repeat(1000));
    });
    const response = await request(get(server.origin));
    response.discard();
    response.discard();
    await gone;
  });

  it('can be closed, and rejects afterwards', async () => {
    await using server = await httpServer(() => undefined);
    const own = senders[sender]();
    const waiting = own.request(get(server.origin));
    server.server.once('request', () => void own.close());
    expect(await failureOf(waiting)).toMatchObject({ sent: true });
    expect(await failureOf(own.request(get(server.origin)))).toMatchObject({ sent: false });
  });
});

describe.each(['nodeRequests', 'httpClientRequests'] as const)('%s, calls only', (sender) => {
  const { request } = opened[sender];

  it('sends forms with text and files', async () => {
    await using server = await httpServer((_, response) => response.end());
    const form = [
      { name: 'image', filename: 'ü "x".png', content: new Blob([new Uint8Array([1, 2, 3])]) },
      { name: 'overwrite', value: 'true' },
    ];
    await bodyText(await request({ method: 'POST', url: `${server.origin}/up`, headers: {}, form }));
    const { headers, body } = server.seen[0]!;
    const parsed = await new Response(new Uint8Array(body), {
      headers: { 'content-type': String(headers['content-type']) },
    }).formData();
    expect(headers['content-length']).toBe(String(body.length));
    const file = parsed.get('image') as File;
    expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([1, 2, 3]);
    expect(file.name).toBe('ü "x".png');
    expect(parsed.get('overwrite')).toBe('true');
  });

  it('keeps connections for questions', async () => {
    await using server = await portServer();
    const ask = async () => bodyText(await request({ method: 'GET', url: server.origin, headers: {} }));
    const first = await ask();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ask()).toBe(first);
  });
});

describe('httpClientRequests', () => {
  it('E1 E3 sends each submission by a connection of its own', async () => {
    await using server = await portServer();
    const submit = async (): Promise<string> =>
      bodyText(
        await opened.httpClientRequests.request({
          method: 'POST',
          url: server.origin,
          headers: {},
          json: '{}',
        }),
      );
    const first = await submit();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await submit()).not.toBe(first);
  });
});

describe.each(['nodeRequests', 'httpClientRequests'] as const)('%s, files only', (sender) => {
  const { request } = opened[sender];

  it.each(['of known length', 'in chunks', 'that ends with its connection'])(
    'G8 keeps the pieces of a body %s while later ones come',
    async (kind) => {
      const bytes = Buffer.from(Uint32Array.from({ length: 600_000 }, (_, index) => index).buffer);
      await using server = await httpServer((_, response) => {
        if (kind === 'of known length') response.setHeader('content-length', bytes.length);
        if (kind === 'that ends with its connection') response.useChunkedEncodingByDefault = false;
        response.end(bytes);
      });
      const url = `${server.origin}/`;
      for (let nth = 0; nth < 2; nth += 1) {
        const answer = await request({
          method: 'GET',
          url,
          headers: {},
          streamed: true,
          addressClass: 'loopback',
        });
        const pieces: Uint8Array[] = [];
        for await (const piece of answer.body) pieces.push(piece);
        expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
      }
    },
  );
});

describe('nodeRequests', () => {
  /** Which client sends requests of a kind: Node's writes the names of headers with capitals. */
  const clientsOf = async (options: NodeAgentsOptions) => {
    await using server = await httpServer((_, response) => response.end());
    const { request, close } = nodeRequests(options);
    const get = { method: 'GET', url: server.origin, headers: {} } as const;
    for (const kind of [{}, { streamed: true }, { addressClass: 'loopback' as const }])
      await bodyText(await request({ ...get, ...kind }));
    await close();
    return server.seen.map(({ rawHeaders }) => (rawHeaders.includes('Host') ? 'Node' : 'undici'));
  };

  it('G9 sends calls by undici, and by Node’s own client files and all that an agent opens', async () => {
    expect(await clientsOf({})).toEqual(['undici', 'Node', 'Node']);
    expect(await clientsOf({ agent: () => undefined })).toEqual(['Node', 'Node', 'Node']);
  });
});
