import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { once } from 'node:events';
import { watchConnections } from '../../../src/cli/serving/watch-connections.js';

/** A server on loopback that answers as the test says. */
const served = async () => {
  const answers: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: 75_000 }, (_, response) => void answers.push(response));
  const connections = watchConnections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const accepted = once(server, 'connection');
    await once(socket, 'connect');
    await accepted;
    return socket;
  };
  const ask = async (socket: Socket): Promise<ServerResponse> => {
    const requested = once(server, 'request');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await requested;
    return answers.at(-1)!;
  };
  return { server, connections, open, ask };
};

it('closes at once what waits for no answer: kept alive, and never used', async () => {
  const { server, connections, open, ask } = await served();
  const [used, fresh] = [await open(), await open()];
  (await ask(used)).end('x');
  await once(used, 'data');
  const closed = [used, fresh].map((socket) => once(socket.resume(), 'close'));
  server.close();
  connections.closeIdle();
  await Promise.all([...closed, once(server, 'close')]);
});

it('closes the others as their answers end, which arrive whole', async () => {
  const { server, connections, open, ask } = await served();
  const busy = await open();
  const answer = await ask(busy);
  server.close();
  connections.closeIdle();
  let text = '';
  busy.on('data', (chunk: Buffer) => (text += chunk.toString()));
  answer.end('y'.repeat(1_000_000));
  await Promise.all([once(busy, 'close'), once(server, 'close')]);
  expect(text.endsWith('y'.repeat(100))).toBe(true);
  expect(text.length).toBeGreaterThan(1_000_000);
});
