import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { firstWords } from '../../../src/server/queue/redis/first-words.js';
import { once } from 'node:events';
import { playedClient } from './played-client.js';

/** A port at which the test answers each connection, and what it was asked. */
const serving = async (answer: (socket: Socket) => void) => {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      asked.push(data.toString());
      answer(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  return { port, asked };
};

it.each<readonly [string, string | Buffer, string | undefined]>([
  [
    'an error in its own words',
    '-ERR max number of clients reached\r\n+more\r\n',
    'ERR max number of clients reached',
  ],
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'the port answers in HTTP'],
  ['an alert of TLS', Buffer.from([0x15, 3, 1, 0, 2]), 'the port answers in TLS'],
  ['bytes that are no alert', Buffer.from([0x15, 4, 1]), undefined],
  ['an answer', '+PONG\r\n', undefined],
  ['what no server of Redis says', '-oops\r\n', undefined],
])('Q7: a server that closes each connection is heard: %s', async (_, answer, words) => {
  const { port, asked } = await serving((socket) => socket.end(answer));
  const { client } = playedClient({ socket: { host: '127.0.0.1', port } });
  expect(await firstWords(client)).toBe(words);
  expect(asked).toEqual(['PING\r\n']);
});

it('Q7: the words of a server are heard up to 200 characters', async () => {
  const { port } = await serving((socket) => socket.end(`-ERR ${'x'.repeat(500)}\r\n`));
  // ioredis has the place among its options.
  const client = { options: { host: '127.0.0.1', port } } as never;
  expect(await firstWords(client)).toHaveLength(199);
});

it('Q7: a server that says nothing, or is not there, has no words', async () => {
  const { port } = await serving((socket) => socket.end());
  expect(await firstWords({ options: { host: '127.0.0.1', port } } as never)).toBeUndefined();
  expect(await firstWords({ options: { path: '/nowhere/redis.sock' } } as never)).toBeUndefined();
});

it.each([
  ['TLS', { tls: {} }],
  ['TLS of node-redis', { socket: { tls: true } }],
  ['Sentinels', { sentinels: [{ host: 'a' }] }],
])('Q7: no server is asked for its words that is reached by %s', async (_, options) => {
  const { port, asked } = await serving((socket) => socket.end('-ERR no\r\n'));
  const place = { host: '127.0.0.1', port };
  const own = 'socket' in options ? { socket: { ...place, ...options.socket } } : { ...place, ...options };
  expect([await firstWords({ options: own } as never), asked]).toEqual([undefined, []]);
});

it('Q7: a server is asked for its words where TLS is off', async () => {
  const { port } = await serving((socket) => socket.end('-ERR no\r\n'));
  const off = { host: '127.0.0.1', port, tls: false, sentinels: null };
  expect(await firstWords({ options: off } as never)).toBe('ERR no');
  expect(await firstWords({ options: { ...off, tls: undefined } } as never)).toBe('ERR no');
});
