import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { once } from 'node:events';
import { type ByteSink, pullBody } from '../../../src/server/gateway/streams/pull-body.js';
import { text } from 'node:stream/consumers';
import { toNodeHandler } from '../../../src/server/gateway/node/to-node-handler.js';

const serve = async (answer: (request: Request) => Response): Promise<number> => {
  const handler = toNodeHandler({ fetch: (request) => Promise.resolve(answer(request)) });
  const server = createServer(handler).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** All that comes over one connection for requests of these paths, the last of which ends it. */
const overOneConnection = async (port: number, ...paths: readonly string[]): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const all = text(socket);
  for (const [at, path] of paths.entries()) {
    const end = at === paths.length - 1 ? 'close' : 'keep-alive';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: ${end}\r\n\r\n`);
  }
  return all;
};

const count = 64;
const chunk = new Uint8Array(64 * 1024).fill(7);

describe('an answer of a gateway on Node.js', () => {
  it('without a body leaves the connection to the next request', async () => {
    const port = await serve(({ url }) =>
      url.endsWith('/none') ? new Response(null, { status: 204 }) : new Response('second'),
    );
    const all = await overOneConnection(port, '/none', '/text');
    expect(all).toMatch(/^HTTP\/1\.1 204 [\s\S]*\r\n\r\nHTTP\/1\.1 200 [\s\S]*second/u);
  });

  it('has each header as the gateway says it, one cookie as well as several', async () => {
    const port = await serve(
      () => new Response('a', { headers: { 'set-cookie': 'one=1', connection: 'close', 'x-a': 'b' } }),
    );
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect([
      answer.headers.getSetCookie(),
      answer.headers.get('connection'),
      answer.headers.get('x-a'),
    ]).toEqual([...[['one=1'], 'close', 'b']]);
  });

  it('comes whole from a stream, however often the socket has to drain', async () => {
    let made = 0;
    const port = await serve(
      () =>
        new Response(
          new ReadableStream<Uint8Array>({
            pull: (controller) => {
              if ((made += 1) <= count) controller.enqueue(chunk);
              else controller.close();
            },
          }),
        ),
    );
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect((await answer.arrayBuffer()).byteLength).toBe(count * chunk.length);
  });

  it('comes whole from a source that gives a piece each time when it is pulled', async () => {
    let sink: ByteSink | undefined;
    let made = 0;
    const source = {
      to: (next: ByteSink) => void (sink = next),
      pull: () => {
        if ((made += 1) <= count) sink?.write([chunk]);
        else if (made === count + 1) sink?.close();
      },
      cancel: () => undefined,
    };
    const port = await serve(() => new Response(pullBody(source) as ReadableStream<Uint8Array<ArrayBuffer>>));
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect((await answer.arrayBuffer()).byteLength).toBe(count * chunk.length);
  });
});
