import { ws, type WebSocketHandler } from 'msw';
import type { Platform } from '../../core/platform/platform.js';

/**
 * The handler of the service's socket.
 *
 * MSW opens each socket at once, so a handshake that the service refuses is a socket that closes before its first message.
 */
export const socketHandler = (baseUrl: string, open: Platform['openSocket']): WebSocketHandler =>
  ws.link(`${baseUrl.replace(/^http/u, 'ws')}/ws`).addEventListener('connection', ({ client }) => {
    const socket = open(client.url.href, {
      opened: () => undefined,
      alive: () => undefined,
      message: (data) => client.send(data),
      closed: ({ code, reason }) => client.close(code, reason),
    });
    client.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') socket.send(data);
    });
    client.addEventListener('close', () => socket.close());
  });
