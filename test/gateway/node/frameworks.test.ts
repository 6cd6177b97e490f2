import { createServer, type Server } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AddressInfo } from 'node:net';
import express from 'express';
import Fastify from 'fastify';
import { once } from 'node:events';
import { toNodeHandler } from '../../../src/server/gateway/node/to-node-handler.js';

const body = '{"seed": 18446744073709551615}';
const ends: string[] = [];
const gateway = toNodeHandler({
  fetch: async (request) => new Response(await request.text(), { headers: { connection: 'close' } }),
});
/** The gateway, which notes when its promise resolves. */
const handle: typeof gateway = async (incoming, outgoing) => {
  await gateway(incoming, outgoing);
  ends.push(outgoing.writableEnded ? 'sent' : 'left');
};

const baseOf = async (server: Server): Promise<string> => {
  if (!server.listening) await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/comfy`;
};
const post = async (base: string, type = 'application/json') => {
  ends.splice(0);
  const answer = await fetch(base, { method: 'POST', body, headers: { 'content-type': type } });
  return [answer.status, await answer.text()];
};
const asBytes = { type: () => true };

describe('T10 a gateway in Express', () => {
  it.each([
    ['before its parsers', [handle, express.json()]],
    ['after one that keeps bytes', [express.raw(asBytes), handle]],
    ['after one that keeps a text', [express.text(asBytes), handle]],
  ])('takes bodies %s, and says when the answer has ended', async (_, handlers) => {
    const app = express().use('/comfy', ...handlers);
    expect(await post(await baseOf(app.listen(0, '127.0.0.1')))).toEqual([200, body]);
    await expect.poll(() => ends).toEqual(['sent']);
  });

  it.each([
    ['json', express.json(), 'application/json'],
    ['urlencoded', express.urlencoded({ extended: true }), 'application/x-www-form-urlencoded'],
  ])('is a 500 that says what to do after express.%s', async (_, parser, type) => {
    const app = express().use('/comfy', parser, handle);
    const [status, text] = await post(await baseOf(app.listen(0, '127.0.0.1')), type);
    expect(status).toBe(500);
    expect(text).toContain('mount it before parsers of bodies');
  });
});

describe('T10 a gateway in Fastify', () => {
  const serve = async (keepsBodies: boolean): Promise<string> => {
    const app = Fastify();
    onTestFinished(() => app.close());
    app.register((scope, _options, done) => {
      if (keepsBodies) {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null));
      }
      scope.all('/comfy', async (request, reply) => {
        reply.hijack();
        await handle(request.raw, reply.raw);
      });
      done();
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/comfy`;
  };

  it('takes bodies that its plugin leaves unread, and says when the answer has ended', async () => {
    expect(await post(await serve(true))).toEqual([200, body]);
    await expect.poll(() => ends).toEqual(['sent']);
  });

  it('is a 500 that says what to do where the parsers of Fastify have read the body', async () => {
    const [status, text] = await post(await serve(false));
    expect(status).toBe(500);
    expect(text).toContain('mount it before parsers of bodies');
  });
});

it('T10 the promise of the handler resolves as well where the client leaves', async () => {
  ends.splice(0);
  const endless = toNodeHandler({ fetch: () => Promise.resolve(new Response(new ReadableStream())) });
  const server = createServer((incoming, outgoing) => {
    void endless(incoming, outgoing).then(() => ends.push(outgoing.writableFinished ? 'sent' : 'left'));
  }).listen(0, '127.0.0.1');
  const leaving = new AbortController();
  await fetch(await baseOf(server), { signal: leaving.signal });
  expect(ends).toEqual([]);
  leaving.abort();
  await expect.poll(() => ends).toEqual(['left']);
});
