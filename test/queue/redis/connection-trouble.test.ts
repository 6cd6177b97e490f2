import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { connectionTrouble } from '../../../src/server/queue/redis/connection-trouble.js';
import type { RedisClient } from '../../../src/server/queue/redis/redis-client.js';
import { virtualClock } from '../../../src/testing.js';

/** A client that a test makes say things, and what is told of it. */
const watched = (own?: string) => {
  const clock = virtualClock();
  const told: string[] = [];
  const trouble = connectionTrouble({
    ...{ clock, tell: (message) => void told.push(message) },
    ask: () => Promise.resolve(own),
  });
  const client = new EventEmitter();
  trouble.watch(client as unknown as RedisClient, 'host:6379');
  return { clock, told, trouble, client };
};

it('Q7: tells after three seconds, once, what the client said last', async () => {
  const { clock, told, trouble, client } = watched();
  client.emit('error', new Error('read ECONNRESET'));
  client.emit('reconnecting');
  await clock.advance(2_999);
  expect(told).toEqual([]);
  client.emit('error', new Error('getaddrinfo ENOTFOUND redis.example.'));
  client.emit('reconnecting');
  await clock.advance(60_000);
  expect(told).toEqual([
    "Redis at host:6379 can't be used for 3 s now: getaddrinfo ENOTFOUND redis.example. Check the name of the host.",
  ]);
  expect(trouble.words()).toEqual({
    reason: 'getaddrinfo ENOTFOUND redis.example',
    hint: 'Check the name of the host.',
  });
});

it('Q7: tells nothing of a server that is back in time, and again of one that goes once more', async () => {
  const { clock, told, trouble, client } = watched();
  client.emit('error', new Error('connect ECONNREFUSED 127.0.0.1:6379'));
  await clock.advance(2_000);
  client.emit('ready');
  await clock.advance(10_000);
  expect([told, trouble.words()]).toEqual([[], undefined]);
  for (const times of [1, 2]) {
    client.emit('reconnecting');
    await clock.advance(3_000);
    client.emit('ready');
    expect(told).toHaveLength(times);
  }
  expect(told[1]).toContain('it does not answer');
});

it('Q7: has the words of a server that closes each connection, which its client drops', async () => {
  const { clock, told, client } = watched('ERR max number of clients reached');
  client.emit('error', new Error('write EPIPE'));
  client.emit('reconnecting');
  await clock.advance(3_000);
  expect(told).toEqual([
    "Redis at host:6379 can't be used for 3 s now: ERR max number of clients reached. Raise maxclients of the server, or close connections.",
  ]);
});

it('Q7: tells nothing once it is closed', async () => {
  const { clock, told, trouble, client } = watched();
  trouble.close();
  client.emit('reconnecting');
  await clock.advance(10_000);
  expect(told).toEqual([]);
});

it.each([
  ['connect ECONNREFUSED ::1:6379', /its port/u],
  ['self-signed certificate in certificate chain', /tls\.ca/u],
  ["Hostname/IP does not match certificate's altnames", /tls\.ca/u],
  ['0A00010B:SSL routines:ssl3_get_record:wrong version number', /take no TLS/u],
  ['Protocol error, got "\\u0015" as reply type byte', /rediss/u],
  ['WRONGPASS invalid username-password pair or user is disabled.', /user and password/u],
  ['ERR max number of clients reached', /maxclients/u],
  ["NOPERM User a has no permissions to run the 'info' command", /rights/u],
])('Q7: has a hint for: %s', (words, hint) => {
  const { trouble, client } = watched();
  client.emit('error', new AggregateError([new Error('first'), new Error(words)]));
  expect(trouble.words()?.reason).toBe(words.replace(/\.$/u, ''));
  expect(trouble.words()?.hint).toMatch(hint);
});
