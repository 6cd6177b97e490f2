import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import { statusEvent } from '../scheduler/events.js';
import type { Service } from '../service.js';
import { door } from './door.js';
import type { Recorder } from './recorder.js';
import { requestUrl } from './request-url.js';

/** Opens sockets at `/ws`, or refuses them with a status; `refusedWith` is asked first. */
export const upgradeListener =
  (service: Service, recorder: Recorder, sockets: WebSocketServer, refusedWith: () => number | undefined) =>
  (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    recorder.record('api', request);
    stream.on('error', () => stream.destroy());
    const url = requestUrl(request);
    const scripted = recorder.take('GET', url.pathname);
    if (scripted?.cut) {
      stream.destroy();
      return;
    }
    const status = scripted?.status ?? refusedWith();
    if (status !== undefined) {
      refuse(stream, status, scripted?.body ?? '', scripted?.headers);
      return;
    }
    if (url.pathname !== '/ws' || !service.settings.has('endpoint:GET /ws')) {
      refuse(stream, 404, JSON.stringify({ code: 'NOT_FOUND', message: 'There is no socket here.' }));
      return;
    }
    const account = door(service, url.searchParams.get('token') ?? undefined);
    if ('status' in account && service.settings.switches.badToken === 'refuse') {
      refuse(stream, account.status, String(account.body));
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      if ('status' in account) {
        socket.close(1008, 'unauthorized');
        return;
      }
      const { scheduler, hub } = account;
      const sid = url.searchParams.get('clientId') || service.ids.hex(32);
      const remaining = scheduler.running().length + scheduler.waiting().length;
      hub.add(socket, statusEvent(remaining, service.settings.switches, sid));
    });
  };

const refuse = (
  stream: Duplex,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json; charset=utf-8' },
): void => {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  stream.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
};
