import type { Platform } from '../socket/platform.js';
import { browserRequest } from './browser/request.js';
import { openBrowserSocket } from './browser/socket.js';
import { realClock } from './real-clock.js';
import { uuid } from './uuid.js';

/** The world as a page sees it: the browser's WebSocket, fetch and clock; there is no disk. */
export const browserPlatform = (): Platform => ({
  clock: realClock,
  random: Math.random,
  uuid,
  openSocket: openBrowserSocket,
  request: browserRequest,
});
