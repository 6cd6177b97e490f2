import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isServerError, nodeRedisCommands } from '../../../src/server/queue/redis/node-redis-commands.js';
import { playedClient } from './played-client.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const soon = () => vi.advanceTimersByTimeAsync(0);

/** Commands whose server answers with these, one after the other: an error rejects. */
const answering = (...answers: readonly unknown[]) => {
  const played = playedClient();
  const left = [...answers];
  played.answerBy((call) => {
    if (call === 'connect') return Promise.resolve();
    const next = left.shift();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  });
  return { ...played, commands: nodeRedisCommands(played.client) };
};

describe('the commands by node-redis', () => {
  it('are sent with numbers as texts, and answered in bytes where these are asked for', async () => {
    const { commands, calls } = answering('OK', Buffer.from('x'), [1]);
    expect(await commands.send('SET', 'a', 1)).toBe('OK');
    expect(await commands.sendForBytes('GET', 'a', 2)).toEqual(Buffer.from('x'));
    expect(await commands.evalsha('sha', ['k', 'l'], [3, Buffer.from('b')])).toEqual([1]);
    expect(calls).toEqual(['SET a 1', 'GET a 2 (as bytes)', 'EVALSHA sha 2 k l 3 b']);
  });

  it('name the server without a password, by its socket, host and port, or what they are by default', () => {
    const addressOf = (...options: Parameters<typeof playedClient>) =>
      nodeRedisCommands(playedClient(...options).client).address();
    expect(addressOf()).toBe('localhost:6379');
    expect(addressOf({ socket: { host: 'h', port: 1 } })).toBe('h:1');
    expect(addressOf({ socket: { path: '/tmp/redis.sock' } })).toBe('/tmp/redis.sock');
  });

  it('end the connection that is open, and no other', () => {
    const { commands, calls } = answering();
    commands.close();
    commands.close();
    expect(calls).toEqual(['destroy']);
  });

  it('leave the server for the one that its address leads to now, where they have reached one', async () => {
    const { commands, calls, state } = answering();
    expect(commands.leavesReplicas).toBe(false);
    commands.reconnect();
    await soon();
    expect(calls).toEqual(['destroy', 'connect']);
    state.isReady = false;
    commands.reconnect();
    expect(calls).toHaveLength(2);
  });
});

describe('a call that fails', () => {
  it('is made again every 50 ms where the connection was cut or the server loads its data', async () => {
    const cut = new Error('Socket closed unexpectedly');
    const { commands, calls } = answering(cut, new Error('LOADING Redis is loading the dataset'), 'kept');
    const sent = commands.send('GET', 'a');
    await vi.advanceTimersByTimeAsync(49);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(50);
    expect([await sent, calls]).toEqual(['kept', ['GET a', 'GET a', 'GET a']]);
  });

  it('is not made again where the server refuses it, or where the client is over', async () => {
    const refused = answering(new Error('WRONGTYPE Operation against a key'), 'late');
    await expect(refused.commands.send('GET', 'a')).rejects.toThrow('WRONGTYPE');
    const over = answering(new Error('The client is closed'), 'late');
    over.state.isOpen = false;
    await expect(over.commands.send('GET', 'a')).rejects.toThrow('closed');
    expect([refused.calls, over.calls]).toEqual([['GET a'], ['GET a']]);
  });

  it('leaves a server that has become a replica', async () => {
    const { commands, calls } = answering(new Error("READONLY You can't write against a read only replica."));
    await expect(commands.send('SET', 'a', 'b')).rejects.toThrow('READONLY');
    expect(calls).toEqual(['SET a b', 'destroy', 'connect']);
  });

  it('is the server’s own answer by a word in capitals', () => {
    const words = ['ERR no', 'NOPERM no', 'X no', 'Socket closed', 'connect ECONNREFUSED', 'ERRor'];
    expect(words.map((one) => isServerError(new Error(one)))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(isServerError('ERR no')).toBe(false);
  });
});

describe('a connection that listens', () => {
  const listening = (channels: () => readonly string[]) => {
    const { client, duplicates } = playedClient();
    const heard: string[] = [];
    const listener = nodeRedisCommands(client).listen({
      channels,
      onMessage: (channel, message) => heard.push(`${channel}: ${message.toString()}`),
      onListening: () => heard.push('listens'),
    });
    return { listener, heard, own: duplicates[0]! };
  };

  it('is one of its own, which listens whenever the server is there', async () => {
    let channels = ['a', 'b'];
    const { listener, heard, own } = listening(() => channels);
    expect(own.calls).toEqual(['connect']);
    own.say('ready');
    await soon();
    own.message('b', '1');
    expect(heard).toEqual(['listens', 'b: 1']);
    listener.add('c');
    listener.remove('a');
    await soon();
    own.message('c', '2');
    own.message('a', '3');
    channels = ['d'];
    own.say('ready');
    await soon();
    expect(heard.slice(2)).toEqual(['c: 2', 'listens']);
    listener.close();
    expect(own.calls.slice(1)).toEqual([
      'subscribe a b',
      'subscribe c',
      'unsubscribe a',
      'subscribe d',
      'destroy',
    ]);
  });

  it('asks for nothing where there is no channel, and says nothing where it is refused', async () => {
    const none = listening(() => []);
    none.own.say('ready');
    await soon();
    expect([none.own.calls, none.heard]).toEqual([['connect'], []]);
    const { listener, heard, own } = listening(() => ['a']);
    own.answerBy(() => Promise.reject(new Error('NOPERM')));
    own.say('error', new Error('a client without a listener for errors ends the process'));
    own.say('ready');
    listener.add('b');
    listener.remove('b');
    await soon();
    expect(heard).toEqual([]);
  });
});
