import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import { webSocketOutlet } from '../sockets/outlet.js';
import type { World } from '../world.js';
import type { Answer } from './answer.js';
import type { Recorder } from './recorder.js';
import { requestUrl } from './request-url.js';

/** Opens sockets as the world admits them, or refuses them with a status; `refusedWith` is asked first. */
export const upgradeListener =
  (world: World, recorder: Recorder, sockets: WebSocketServer, refusedWith: () => number | undefined) =>
  (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    recorder.record('api', request);
    stream.on('error', () => stream.destroy());
    const url = requestUrl(request);
    const scripted = recorder.take('GET', url.pathname);
    if (scripted?.cut) {
      stream.destroy();
      return;
    }
    const status = refusedWith();
    const refused = scripted ?? (status === undefined ? undefined : { status });
    const verdict = refused ?? world.admit(request, url);
    if ('status' in verdict) {
      refuse(stream, verdict);
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => verdict.welcome(webSocketOutlet(socket)));
  };

const refuse = (stream: Duplex, { status, headers, body = '' }: Answer): void => {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ 'content-type': 'application/json; charset=utf-8', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ];
  stream.write(`${lines.join('\r\n')}\r\n\r\n`);
  stream.end(body);
};
