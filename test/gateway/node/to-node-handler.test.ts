import { connect, type AddressInfo } from 'node:net';
import { createServer, get, type IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { firstValueFrom, ReplaySubject } from 'rxjs';
import { life, opened, playedGateway, submitted } from '../support.js';
import { json } from 'node:stream/consumers';
import { once } from 'node:events';
import { toNodeHandler } from '../../../src/server/gateway/node/to-node-handler.js';

const serve = async (fetch: (request: Request) => Promise<Response>): Promise<number> => {
  const server = createServer(toNodeHandler({ fetch }));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** A body without an end, and what becomes of it. */
const endless = () => {
  let pulls = 0;
  let cancelled: () => void;
  const cancel = new Promise<void>((resolve) => (cancelled = resolve));
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        pulls += 1;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
      cancel: () => cancelled(),
    },
    { highWaterMark: 0 },
  );
  return { body, pulls: () => pulls, cancel };
};

/** Opens a connection, sends a head, and reads nothing. */
const stalled = async (port: number) => {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.pause();
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
};

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Resolves once `read` gives the same number for a thousand turns of the event loop. */
const steady = async (read: () => number): Promise<number> => {
  for (;;) {
    const before = read();
    await turns(1000);
    if (before > 0 && read() === before) return before;
  }
};

describe('toNodeHandler', () => {
  it('passes method, address, headers and body on, and sends status, headers and body', async () => {
    const port = await serve(async (request) => {
      const body = await request.text();
      const { method, url } = request;
      const seen = {
        method,
        url: new URL(url).pathname + new URL(url).search,
        body,
        x: request.headers.get('x'),
      };
      return Response.json(seen, { status: 201, headers: { 'x-more': 'yes' } });
    });
    const answer = await fetch(`http://127.0.0.1:${port}/a%20b?c=d`, {
      method: 'POST',
      body: 'bytes',
      headers: { x: 'y' },
    });
    expect([answer.status, answer.headers.get('x-more')]).toEqual([201, 'yes']);
    expect(await answer.json()).toEqual({ method: 'POST', url: '/a%20b?c=d', body: 'bytes', x: 'y' });
  });

  it('reads no more of an answer than a stalled socket takes', async () => {
    const source = endless();
    const port = await serve(() => Promise.resolve(new Response(source.body)));
    const socket = await stalled(port);
    const stood = await steady(source.pulls);
    socket.destroy();
    await source.cancel;
    expect(source.pulls()).toBe(stood);
  });

  it("cancels the answer and aborts the request's signal when the client leaves", async () => {
    const source = endless();
    let signal: AbortSignal | undefined;
    const port = await serve((request) => {
      ({ signal } = request);
      return Promise.resolve(new Response(source.body));
    });
    const leave = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: leave.signal });
    await answer.body!.getReader().read();
    leave.abort();
    await source.cancel;
    expect(signal?.aborted).toBe(true);
  });

  /** A gateway's stream, and how often it said that it has ended. */
  const aStream = async () => {
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    const ends = new ReplaySubject<void>(Infinity);
    const body = await opened(
      gateway,
      { owner: 'alice', jobId: record.id },
      { view: 'native', format: 'sse', base: 'http://gateway.test' },
      {},
      { ended: () => ends.next() },
    );
    return { ...gateway, ends, body: body as ReadableStream<Uint8Array<ArrayBuffer>> };
  };

  it("gives the slot of a gateway's stream back when its client leaves, while it waits and before it begins", async () => {
    const stream = await aStream();
    const port = await serve(() => Promise.resolve(new Response(stream.body)));
    const leave = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: leave.signal });
    await answer.body!.getReader().read();
    leave.abort();
    await firstValueFrom(stream.ends);

    const late = await aStream();
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const slow = await serve(async (request) => {
      begin();
      // The answer comes to a client that is gone.
      await once(request.signal, 'abort');
      return new Response(late.body);
    });
    const gone = new AbortController();
    const refused = fetch(`http://127.0.0.1:${slow}/`, { signal: gone.signal }).catch(() => 'aborted');
    await begun;
    gone.abort();
    expect(await refused).toBe('aborted');
    await firstValueFrom(late.ends);
  });

  it("ends with a gateway's stream, and passes on all of it", async () => {
    const stream = await aStream();
    const port = await serve(() => Promise.resolve(new Response(stream.body)));
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    for (const state of life('p1')) stream.service.jobs[0]!.move(state);
    const names = [...(await answer.text()).matchAll(/^event: (\w+)$/gmu)].map(([, name]) => name);
    expect([names[0], names.at(-1)]).toEqual(['snapshot', 'status']);
    expect(names.filter((name) => name === 'output')).toHaveLength(2);
  });

  it('cancels an answer that comes after its client left', async () => {
    const source = endless();
    const port = await serve(async (request) => {
      await once(request.signal, 'abort');
      return new Response(source.body);
    });
    const socket = await stalled(port);
    await turns(100);
    socket.destroy();
    await source.cancel;
    expect(source.pulls()).toBeLessThan(2);
  });

  it('answers below a path of Express by the whole address, and reads each header once', async () => {
    const seen: string[] = [];
    const handle = toNodeHandler({
      fetch: ({ url, headers }) => {
        seen.push(new URL(url).pathname, headers.get('x-a') ?? '');
        return Promise.resolve(
          new Response(null, {
            status: 204,
            headers: [
              ['set-cookie', 'a=1'],
              ['set-cookie', 'b=2'],
            ],
          }),
        );
      },
    });
    const server = createServer((request, response) => {
      Object.assign(request, { originalUrl: `/comfy${request.url ?? ''}` });
      void handle(request, response);
    });
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/jobs`, {
      headers: [
        ['x-a', '1'],
        ['x-a', '2'],
      ],
    });
    expect(seen).toEqual(['/comfy/jobs', '1, 2']);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([204, ['a=1', 'b=2']]);
  });

  it.each(['/jobs/%2e%2e/events', '/api/v2/jobs/../events'])(
    'finds nothing at %s, whose points would make it the address of another route',
    async (path) => {
      const port = await serve(() => Promise.resolve(new Response('the stream of all jobs')));
      // `fetch` itself resolves them before it asks.
      const [answer] = (await once(get({ port, path }), 'response')) as [IncomingMessage];
      const body = (await json(answer)) as { readonly error?: object };
      expect(answer.statusCode).toBe(404);
      expect(body.error ?? body).toMatchObject({ code: 'not_found' });
      expect('error' in body).toBe(path.startsWith('/api/v2'));
    },
  );

  it('sends the head of a stream before its first bytes', async () => {
    const port = await serve(() => Promise.resolve(new Response(new ReadableStream(), { status: 200 })));
    const leave = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: leave.signal });
    expect(answer.status).toBe(200);
    leave.abort();
  });

  it('delivers an answer that comes before the end of the request', async () => {
    const port = await serve(() => Promise.resolve(Response.json({ no: true }, { status: 413 })));
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: new Uint8Array(20_000_000),
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({ no: true });
  });

  it('cuts the connection of an answer whose body fails', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(10)),
      pull: (controller) => controller.error(new Error('gone')),
    });
    const port = await serve(() => Promise.resolve(new Response(body)));
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  it.each(['GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 'GET / HTTP/1.1\r\nHost: [\r\n\r\n'])(
    'answers 400 to a host that is none: %j',
    async (head) => {
      const port = await serve(() => Promise.resolve(new Response('served')));
      const socket = connect(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.write(head);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      expect(bytes.toString()).toMatch(/^HTTP\/1\.1 400 /u);
    },
  );
});
