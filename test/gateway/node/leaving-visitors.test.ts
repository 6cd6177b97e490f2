import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createGateway, memoryJobIndex } from '../../../src/gateway.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Hono } from 'hono';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { clientOf, playedService } from '../support.js';

it('T2 T3 in Hono a reader that leaves its stream prints nothing, and a body that breaks off is no failure', async () => {
  const errors: unknown[] = [];
  const printed = ['error', 'warn', 'log'] as const;
  const spies = printed.map((name) => vi.spyOn(console, name).mockImplementation(() => undefined));
  const answered: [path: string, status: number][] = [];
  const gateway = createGateway({
    client: clientOf(playedService()),
    authorize: () => ({ name: 'alice' }),
    index: memoryJobIndex(),
    accessLog: ({ path, status }) => void answered.push([path, status]),
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => gateway.close());
  // `serve` puts its own classes in the place of these, for the whole process.
  vi.stubGlobal('Request', Request);
  vi.stubGlobal('Response', Response);
  const app = new Hono().all('*', (context) => gateway.fetch(context.req.raw));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const leaving = new AbortController();
  const stream = await fetch(`http://127.0.0.1:${port}/events`, { signal: leaving.signal });
  await stream.body!.getReader().read();
  leaving.abort();
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /api/v2/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"workflow":', () =>
    socket.destroy(),
  );
  await expect.poll(() => answered.map(([path]) => path).sort()).toEqual(['/api/v2/jobs', '/events']);
  expect(answered.every(([, status]) => status < 500)).toBe(true);
  expect(errors).toEqual([]);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
