import { WebSocket as UndiciWebSocket } from 'undici';
import { WebSocket as WsWebSocket, WebSocketServer } from 'ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { filter, firstValueFrom, lastValueFrom } from 'rxjs';
import type { AddressInfo } from 'node:net';
import type { ClientOptions } from '../../src/node.js';
import { createServer, type IncomingMessage } from 'node:http';
import { createClient } from '../../src/node.js';
import { emulated } from '../helpers/emulated.js';
import { once } from 'node:events';
import { textToImageWorkflow } from '../../src/emulator.js';

const workflow = textToImageWorkflow({ steps: 3, width: 64, height: 64 });
const headers = { authorization: 'Bearer gateway-token' };

/** undici's takes its headers as the second argument. */
class WithHeaders extends UndiciWebSocket {
  constructor(url: string) {
    super(url, { headers });
  }
}

const classes: readonly (readonly [name: string, WebSocket: NonNullable<ClientOptions['WebSocket']>])[] = [
  ['ws', WsWebSocket],
  ['undici', UndiciWebSocket],
  ['a subclass', WithHeaders],
];

/** A service that opens sockets and answers nothing else; `handshakes` are the requests for them. */
const sockets = async () => {
  const handshakes: IncomingMessage[] = [];
  const http = createServer((_, response) => response.writeHead(404).end('{}'));
  const server = new WebSocketServer({ server: http });
  server.on('connection', (_, request) => handshakes.push(request));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
    http.close();
    http.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return { server, handshakes, baseUrl };
};

describe.each(classes)('the WebSocket of %s', (name, WebSocket) => {
  it('carries the frames of a job, pictures too, in place of the own one', async () => {
    let made = 0;
    const counted = new Proxy(WebSocket, {
      construct: (target, given: ConstructorParameters<typeof WebSocket>) => {
        made += 1;
        return new target(...given);
      },
    });
    const { client, emulator } = await emulated({}, { WebSocket: counted });
    const seen: string[] = [];
    const frames = client.frames.subscribe(({ _tag }) => seen.push(_tag));
    const last = await lastValueFrom(client.run(workflow));
    expect(last).toMatchObject({ phase: 'completed', outputsComplete: true });
    expect(seen).toContain('Preview');
    expect([made, emulator.openSockets]).toEqual([1, 1]);
    frames.unsubscribe();
    await client.close();
  });

  it('is opened anew where the server ends it, and is gone after close', async () => {
    const { server, handshakes, baseUrl } = await sockets();
    const client = createClient({ baseUrl, WebSocket, headers });
    onTestFinished(() => client.close());
    const open = () => firstValueFrom(client.connection.pipe(filter(({ _tag }) => _tag === 'open')));
    client.frames.subscribe();
    await open();
    const waits = firstValueFrom(client.connection.pipe(filter(({ _tag }) => _tag === 'waiting')));
    for (const socket of server.clients) socket.terminate();
    await waits;
    await open();
    const [second] = [...server.clients].slice(-1);
    const gone = once(second!, 'close');
    await client.close();
    await gone;
    const sent = name === 'undici' ? undefined : headers.authorization;
    expect(handshakes.map((request) => request.headers.authorization)).toEqual([sent, sent]);
  });

  it('that is refused makes the client ask over REST, and wait', async () => {
    const { client } = await emulated({}, { WebSocket, apiKey: 'unknown-key' });
    const failed = firstValueFrom(client.connection.pipe(filter(({ _tag }) => _tag === 'failed')));
    client.frames.subscribe({ error: () => undefined });
    expect(await failed).toMatchObject({ cause: 'auth' });
  });
});
