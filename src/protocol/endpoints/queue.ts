import type { Endpoint } from './endpoint.js';
import type { Queue } from '../answers/queue.js';
import { readQueue } from '../answers/read-queue.js';

/** `GET /api/queue`: what runs and what waits (docs/protocol.md, chapter 2). */
export const queueEndpoint = (): Endpoint<Queue> => ({
  method: 'GET',
  path: '/api/queue',
  repeat: 'always',
  read: readQueue,
});
