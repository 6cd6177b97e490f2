import { afterAll, describe, expect, it } from 'vitest';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { bodyText } from '../../helpers/body-text.js';
import { httpClientRequests, nodeRequests } from '../../../src/core/platform/node/requests.js';
import { httpServer } from '../../helpers/http-server.js';
import { once } from 'node:events';
import { requestBody } from '../../../src/core/platform/node/request-body.js';

const senders = { nodeRequests: nodeRequests(), httpClientRequests: httpClientRequests() };
afterAll(() => Promise.all(Object.values(senders).map(({ close }) => close())));

/** Larger than what the buffers of both ends hold. */
const json = JSON.stringify('x'.repeat(24 * 1024 * 1024));

/** A server that reads nothing beyond its first piece until it is told to. */
const stuckServer = async () => {
  const server = createServer();
  const opened = once(server, 'connection') as Promise<[Socket]>;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    connection: async () => {
      const [socket] = await opened;
      socket.on('error', () => undefined);
      await once(socket, 'readable');
      return socket;
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
};

describe.each(['nodeRequests', 'httpClientRequests'] as const)('the body of a request by %s', (sender) => {
  const { request } = senders[sender];

  it('N2 arrives whole, and tells each piece that has left and then the last one', async () => {
    await using server = await httpServer((_, response) => response.end('ok'));
    const told: (number | 'sent')[] = [];
    const answer = await request({
      method: 'POST',
      url: server.origin,
      headers: { 'content-type': 'application/json' },
      json,
      onProgress: (bytes) => told.push(bytes),
      onSent: () => told.push('sent'),
    });
    expect(await bodyText(answer)).toBe('ok');
    expect(server.seen[0]?.body.toString()).toBe(json);
    expect(server.seen[0]?.headers['content-length']).toBe(String(json.length));
    expect(told.at(-1)).toBe('sent');
    expect(told.filter((one) => one === 'sent')).toHaveLength(1);
    const bytes = told.reduce<number>((sum, one) => sum + (one === 'sent' ? 0 : one), 0);
    expect(json.length - bytes).toBeLessThanOrEqual(64 * 1024);
  });

  it('N2 arrives whole where a character of two units stands between two pieces', async () => {
    await using server = await httpServer((_, response) => response.end('ok'));
    // Each shift has other units at the borders of the pieces.
    for (const shift of ['', 'x', 'xy']) {
      const text = JSON.stringify(`${shift}${'\u{1F600}'.repeat(100_000)}${'\u20AC'.repeat(70_000)}`);
      const headers = { 'content-type': 'application/json' };
      const answer = await request({ method: 'POST', url: server.origin, headers, json: text });
      expect(await bodyText(answer)).toBe('ok');
      expect(server.seen.at(-1)?.body.toString()).toBe(text);
      expect(server.seen.at(-1)?.headers['content-length']).toBe(String(Buffer.byteLength(text)));
    }
  });

  it.each(['json', 'form'] as const)('N2 that is cut before its end did not leave: %s', async (kind) => {
    await using server = await stuckServer();
    let sent = 0;
    const body =
      kind === 'json'
        ? { json }
        : { form: [{ name: 'image', filename: 'a.png', content: new Blob([json]) }] };
    const told = request({
      method: 'POST',
      url: server.url,
      headers: {},
      onSent: () => (sent += 1),
      ...body,
    }).catch((cause: unknown) => cause);
    (await server.connection()).resetAndDestroy();
    expect(await told).toMatchObject({
      sent: false,
      message: 'the connection failed before the request had left whole',
    });
    expect(sent).toBe(0);
  });

  it('N2 that is aborted before its end did not leave', async () => {
    await using server = await stuckServer();
    const caller = new AbortController();
    let sent = 0;
    const told = request({
      method: 'POST',
      url: server.url,
      headers: {},
      json,
      signal: caller.signal,
      onSent: () => (sent += 1),
    }).catch((cause: unknown) => cause);
    const connection = await server.connection();
    caller.abort(new Error('enough'));
    expect(await told).toMatchObject({ message: 'enough' });
    connection.destroy();
    expect(sent).toBe(0);
  });
});

it.each([65_534, 65_535, 65_536])(
  'N2 has both halves of a character in one piece, at the %i-th unit',
  async (at) => {
    const json = `${'x'.repeat(at)}\u{1F600}${'x'.repeat(70_000)}`;
    const { content } = requestBody({ json });
    const texts: string[] = [];
    // It throws for bytes that are no text.
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const piece of content as AsyncIterable<Uint8Array>) texts.push(decoder.decode(piece));
    expect(texts.join('')).toBe(json);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024 + 1);
  },
);

it('leaves at once where it is no longer than a piece, and is none without content', () => {
  expect(requestBody({ json: '{}' })).toEqual({ headers: {}, content: '{}' });
  expect(requestBody({})).toEqual({ headers: {}, content: undefined });
});
