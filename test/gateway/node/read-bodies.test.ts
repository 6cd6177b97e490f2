import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { toNodeHandler } from '../../../src/server/gateway/node/to-node-handler.js';

const echo = toNodeHandler({
  fetch: async (request) =>
    new Response(await request.text(), { headers: { 'x-type': request.headers.get('content-type') ?? '' } }),
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A server whose parser has read the body before the handler, and kept what `keep` makes of it. */
const parsed = (keep: (body: string) => object): Promise<string> =>
  serve((incoming, outgoing) => {
    void text(incoming).then((sent) => {
      Object.assign(incoming, keep(sent));
      void echo(incoming, outgoing);
    });
  });

const body = '{"seed": 18446744073709551615}';
const post = (base: string) =>
  fetch(base, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

describe('T10 a body that something has read before the gateway', () => {
  it.each([
    [
      'rawBody of a hosted function',
      (sent: string) => ({ rawBody: Buffer.from(sent), body: JSON.parse(sent) as unknown }),
    ],
    ['express.raw', (sent: string) => ({ body: Buffer.from(sent) })],
    ['express.text', (sent: string) => ({ body: sent })],
  ])('is used where its bytes are kept: %s', async (_, keep) => {
    const answer = await post(await parsed(keep));
    expect([answer.status, answer.headers.get('x-type'), await answer.text()]).toEqual([
      200,
      'application/json',
      body,
    ]);
  });

  it.each([
    ['express.json', (sent: string) => ({ body: JSON.parse(sent) as unknown })],
    ['nothing of it', () => ({})],
  ])('is a 500 that says what to do where they are not: %s', async (_, keep) => {
    const answer = await post(await parsed(keep));
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({
      code: 'body_already_read',
      detail:
        'Something before the gateway has read the body: mount it before parsers of bodies, such as express.json().',
    });
  });

  it('is left alone where there is none, and read as it comes where nothing has read it', async () => {
    const base = await serve((incoming, outgoing) => {
      // Express gives every request one.
      Object.assign(incoming, { body: {} } satisfies Partial<IncomingMessage & { body: unknown }>);
      void echo(incoming, outgoing);
    });
    expect(await (await fetch(base)).text()).toBe('');
    expect(await (await post(base)).text()).toBe(body);
  });
});
