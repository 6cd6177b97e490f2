import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventEmitter } from 'node:events';
import { ioredisCommands } from '../../../src/server/queue/redis/ioredis-commands.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const soon = () => vi.advanceTimersByTimeAsync(0);

/** A client of ioredis whose server is the test, and what was asked of it and of its duplicate. */
const played = (options: object = {}) => {
  const calls: unknown[] = [];
  const state = { isRefused: false };
  const ask = (...call: readonly unknown[]) => {
    calls.push(call);
    return state.isRefused ? Promise.reject(new Error('NOPERM')) : Promise.resolve('OK');
  };
  const clientOf = () =>
    Object.assign(new EventEmitter(), {
      options,
      ...Object.fromEntries(
        ['call', 'callBuffer', 'evalsha', 'disconnect', 'subscribe', 'unsubscribe', 'ping'].map((name) => [
          name,
          (...args: readonly unknown[]) => ask(name, ...args),
        ]),
      ),
    });
  const listener = clientOf();
  const client = Object.assign(clientOf(), {
    duplicate: (by: object) => {
      calls.push(['duplicate', by]);
      return listener;
    },
  });
  return { calls, state, listener, commands: ioredisCommands(client as never) };
};

it('sends commands and scripts as ioredis takes them, and gives what a call gives', async () => {
  const { commands, calls } = played();
  expect(await commands.send('SET', 'a', 1)).toBe('OK');
  await commands.sendForBytes('GET', 'a');
  await commands.evalsha('sha', ['k', 'l'], [3]);
  expect(await commands.again(() => Promise.resolve('given'))).toBe('given');
  commands.reconnect();
  commands.close();
  expect(calls).toEqual([
    ['call', 'SET', 'a', 1],
    ['callBuffer', 'GET', 'a'],
    ['evalsha', 'sha', 2, 'k', 'l', 3],
    ['disconnect', true],
    ['disconnect'],
  ]);
  expect(commands.leavesReplicas).toBe(true);
});

it('names the server without a password, by its socket, host and port, or what they are by default', () => {
  expect(played().commands.address()).toBe('localhost:6379');
  expect(played({ host: 'h', port: 1, password: 'secret' }).commands.address()).toBe('h:1');
  expect(played({ path: '/tmp/redis.sock' }).commands.address()).toBe('/tmp/redis.sock');
});

it('listens by a connection of its own whenever the server is there, and asks it for a sign of life', async () => {
  const { commands, calls, listener, state } = played();
  const heard: string[] = [];
  const listening = commands.listen({
    channels: () => ['a', 'b'],
    onMessage: (channel, message) => heard.push(`${channel}: ${message.toString()}`),
    onListening: () => heard.push('listens'),
  });
  // One without a listener for errors would end the process.
  listener.emit('error', new Error('away'));
  listener.emit('ready');
  await soon();
  listener.emit('messageBuffer', Buffer.from('a'), Buffer.from('1'));
  expect(heard).toEqual(['listens', 'a: 1']);
  state.isRefused = true;
  listener.emit('ready');
  listening.add('c');
  listening.remove('a');
  await vi.advanceTimersByTimeAsync(9_999);
  expect(calls.splice(0)).toEqual([
    ['duplicate', { autoResubscribe: false }],
    ['subscribe', 'a', 'b'],
    ['subscribe', 'a', 'b'],
    ['subscribe', 'c'],
    ['unsubscribe', 'a'],
  ]);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls.splice(0)).toEqual([['ping']]);
  expect(heard).toHaveLength(2);
  state.isRefused = false;
  listening.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([calls, vi.getTimerCount()]).toEqual([[['disconnect']], 0]);
});

it('subscribes to nothing where there is no channel', async () => {
  const { commands, calls, listener } = played();
  const listening = commands.listen({ channels: () => [], onMessage: () => undefined });
  listener.emit('ready');
  await soon();
  expect(calls).toHaveLength(1);
  listening.close();
});
