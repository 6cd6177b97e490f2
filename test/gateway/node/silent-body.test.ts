import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { toNodeHandler } from '../../../src/server/gateway/node/to-node-handler.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

it('N2: cuts a body once nothing of it came for 30 s, however long it takes while it moves', async () => {
  const body = new PassThrough();
  const members = {
    method: 'POST',
    url: '/',
    headers: { 'transfer-encoding': 'chunked' },
    headersDistinct: {},
  };
  const incoming = Object.assign(body, { ...members, socket: {} }) as unknown as IncomingMessage;
  let read: unknown;
  const fetch = async (request: Request): Promise<Response> => {
    read = await request.text().catch(() => 'cut');
    return new Response(null, { status: 204 });
  };
  void toNodeHandler({ fetch })(incoming, new ServerResponse(incoming));
  for (let piece = 0; piece < 20; piece += 1) {
    await vi.advanceTimersByTimeAsync(29_000);
    body.write('x');
  }
  await vi.advanceTimersByTimeAsync(29_999);
  expect([read, body.destroyed]).toEqual([undefined, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(body.destroyed).toBe(true);
  await vi.waitFor(() => expect(read).toBe('cut'), { timeout: 20_000 });
});
