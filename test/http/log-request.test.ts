import { expect, it } from 'vitest';
import { logRequest } from '../../src/core/http/log-request.js';
import type { LogDetails, Logger } from '../../src/core/log/logger.js';

it('a request leaves one entry: its status and the service’s id of it, or why it got no answer', () => {
  const entries: (readonly [string, LogDetails])[] = [];
  const logger = { debug: (...entry: [string, LogDetails]) => entries.push(entry) } as unknown as Logger;
  let now = 1_000;
  const begin = (): ReturnType<typeof logRequest> => {
    now = 1_000;
    return logRequest(logger, 'GET /api/queue', { now: () => now });
  };
  const first = begin();
  now = 1_070.4;
  first?.answered(200, 'r1');
  const second = begin();
  now = 1_003;
  second?.failed('The connection was cut.');
  expect(entries).toEqual([
    ['GET /api/queue: 200', { status: 200, ms: 70, requestId: 'r1' }],
    ['GET /api/queue: no answer', { ms: 3, reason: 'The connection was cut.' }],
  ]);
  expect(logRequest(undefined, 'GET /api/queue', { now: () => now })).toBeUndefined();
});
