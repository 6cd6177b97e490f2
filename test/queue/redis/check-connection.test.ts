import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createJobQueue, createWorker, type QueueConnection, redisPorts } from '../../../src/queue.js';
import type { Client } from '../../../src/index.js';

const refused = [
  ['an unset variable', undefined, 'not set'],
  ['null', null, 'not set'],
  ['an empty text', '', 'empty'],
  ['blanks', '  ', 'empty'],
  ['a variable that was written into a text', 'undefined', '"undefined"'],
  ['a web address', 'http://127.0.0.1:6379', 'http://'],
  ['the address of a REST interface', 'https://eu1-x.upstash.io', 'https://'],
  ['a scheme of another store', 'amqp://127.0.0.1', 'amqp://'],
  ['an address without a host', 'redis://', 'without a host'],
  ['an address of a password alone', 'redis://:secret@:6379', 'without a host'],
  ['an address of user and password alone', 'redis://user:secret@', 'without a host'],
  ['a path in place of the host', 'redis:///0', 'without a host'],
  ['an address whose port is unset', 'redis://127.0.0.1:undefined', 'port'],
  ['an address whose database is a name', 'rediss://host:6379/jobs', 'database'],
  ['an object around the address', { url: 'redis://127.0.0.1:6379' }, 'url'],
  ['options of node-redis', { socket: { host: '127.0.0.1', port: 6379 } }, 'socket'],
  ['no options', {}, 'no members'],
  ['a password without a server', { password: 'secret' }, 'password'],
  ['an unset host', { host: undefined, port: 6379 }, 'connection.host is not set'],
  ['an empty host', { host: '' }, 'connection.host is empty'],
  ['a host that is an address', { host: 'redis://127.0.0.1' }, 'connection.host'],
  ['a host with its port', { host: '127.0.0.1:6379' }, 'connection.host'],
  ['an unset port that was made a number', { host: '127.0.0.1', port: Number.NaN }, 'connection.port'],
  ['a port that is too large', { host: '127.0.0.1', port: 65_536 }, 'connection.port'],
  ['a database below zero', { host: '127.0.0.1', db: -1 }, 'connection.db'],
  ['no Sentinels', { sentinels: [], name: 'main' }, 'connection.sentinels'],
  ['a Sentinel without a host', { sentinels: [{ port: 26_379 }], name: 'main' }, 'connection.host'],
  ['Sentinels of an unnamed server', { sentinels: [{ host: '127.0.0.1' }] }, 'connection.name'],
  ['a Sentinel that is unset', { sentinels: [undefined], name: 'main' }, 'connection.host is not set'],
  [
    'a Sentinel whose port is none',
    { sentinels: [{ host: 'a', port: 'x' }], name: 'main' },
    'connection.port is no',
  ],
  ['Sentinels of a server with an empty name', { sentinels: [{ host: 'a' }], name: '' }, 'connection.name'],
  ['a port of zero', { host: 'a', port: 0 }, 'connection.port is no whole number from 1 to 65535.'],
  ['a database that is no number', { host: 'a', db: 1.5 }, 'connection.db is no whole number from 0.'],
  ['a path that is none', { path: 5 }, 'connection.path is no path.'],
  ['a host with a blank', { host: 'a b' }, 'connection.host is no name or IP address of a server.'],
  ['several servers', ['redis://127.0.0.1:6379'], 'a list'],
  ['a number', 6379, 'a number'],
  ['a prefix of keys', { host: '127.0.0.1', keyPrefix: 'app:' }, 'keyPrefix'],
] as const;

const problem = (message: string): unknown =>
  expect.objectContaining({
    ...{ _tag: 'InvalidConfig', option: 'connection' },
    message: expect.stringContaining(message) as string,
    hint: expect.not.stringContaining('secret') as string,
  });

/** What a call throws or rejects with. */
const thrown = async (call: () => unknown): Promise<unknown> => {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('a connection to Redis', () => {
  it.each(refused)('Q6: is refused before the first connection: %s', async (_, given, message) => {
    const options = { connection: given as unknown as QueueConnection, name: 'check' };
    expect(await thrown(() => createJobQueue(options))).toEqual(problem(message));
    expect(await thrown(() => createWorker({ ...options, client: {} as Client }))).toEqual(problem(message));
    expect(await thrown(() => redisPorts(options))).toEqual(problem(message));
  });

  it.each([
    'redis://127.0.0.1:1',
    'rediss://user:p%40ss@host.example:6380/3',
    'redis://:p%40ss@host.example:6379',
    'redis://user@host',
    'redis://:a@b@host:1/0',
    'redis://[::1]:6379',
    'REDIS://host?family=6',
    'host.example:6379',
    'host',
    '/run/redis.sock',
    { host: '127.0.0.1' },
    { host: '::1', port: '6379' as unknown as number, password: undefined },
    { port: 6380 },
    { path: '/run/redis.sock' },
    { host: 'a', port: 65_535, db: 0 },
    { host: 'a', port: 1 },
    { sentinels: [{ host: 'one', port: 26_379 }], name: 'main' },
  ])('Q6: takes %j', async (connection) => {
    // Nothing connects before the first call.
    await createJobQueue({ connection, name: 'check' }).close();
  });

  it('Q6: takes an instance, whose address its maker has checked', async () => {
    const connection = new Redis({ host: '127.0.0.1', port: 1, lazyConnect: true });
    await createJobQueue({ connection, name: 'check' }).close();
    connection.disconnect();
  });

  it('Q6: says how an address is given where an object stands around it', async () => {
    const hintOf = async (connection: object) => {
      const error = await thrown(() =>
        createJobQueue({ connection: connection as QueueConnection, name: 'check' }),
      );
      return (error as { readonly hint: string }).hint;
    };
    expect(await hintOf({ url: 'redis://a' })).toMatch(
      /an address is the text itself, without an object around it\.$/u,
    );
    expect(await hintOf({ socket: {} })).toMatch(/an address is the text itself\.$/u);
  });
});
