import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { once } from 'node:events';
import { toNodeHandler } from '../../../src/server/gateway/node/to-node-handler.js';

/** Sends so many requests in one write, and gives what came until the connection ended, and how the handler saw them. */
const pipelined = async (count: number) => {
  const seen = { begun: 0, underWay: 0, most: 0, turns: new Set<number>() };
  let turn = 0;
  let isOver = false;
  const tick = (): void => {
    turn += 1;
    if (!isOver) setImmediate(tick);
  };
  const handler = toNodeHandler({
    fetch: async ({ url }) => {
      seen.begun += 1;
      seen.underWay += 1;
      seen.most = Math.max(seen.most, seen.underWay);
      seen.turns.add(turn);
      await Promise.resolve();
      seen.underWay -= 1;
      return new Response(`<${new URL(url).pathname}>`);
    },
  });
  const server = createServer(handler);
  onTestFinished(() => {
    isOver = true;
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  tick();
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  const requests = Array.from({ length: count }, (_, at) => {
    const end = at === count - 1 ? 'Connection: close\r\n' : '';
    return `GET /${at} HTTP/1.1\r\nHost: localhost\r\n${end}\r\n`;
  });
  socket.write(requests.join(''));
  await once(socket, 'close');
  return { ...seen, paths: Array.from(text.matchAll(/<\/(\d+)>/gu), ([, at]) => Number(at)) };
};

it('requests that are pipelined are answered one after the other, each in a turn of its own', async () => {
  const { begun, most, turns, paths } = await pipelined(60);
  expect(paths).toEqual(Array.from({ length: 60 }, (_, at) => at));
  expect([begun, most, turns.size]).toEqual([60, 1, 60]);
});

it('a connection that sends too many of them ahead is cut', async () => {
  const { begun, most } = await pipelined(500);
  expect(begun).toBeLessThanOrEqual(65);
  expect(most).toBe(1);
});
