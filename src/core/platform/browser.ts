import type { Platform } from './platform.js';
import { browserRequest } from './browser/request.js';
import { realClock } from './clock.js';
import { openWebSocket } from './web-socket.js';
import { uuid } from './uuid.js';

/** The world as a page sees it: the browser's WebSocket, fetch and clock; there is no disk. */
export const browserPlatform = (): Platform => ({
  clock: realClock,
  random: Math.random,
  uuid,
  openSocket: openWebSocket(() => WebSocket),
  request: browserRequest,
});
