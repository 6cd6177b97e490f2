import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { connectionTrouble } from '../../../src/server/queue/redis/connection-trouble.js';
import type { RedisClient } from '../../../src/server/queue/redis/redis-client.js';
import { virtualClock } from '../../../src/testing.js';

/** A client that a test makes say things, and what is told of it. */
const watched = (own?: string) => {
  const clock = virtualClock();
  const told: string[] = [];
  const asked: RedisClient[] = [];
  const trouble = connectionTrouble({
    ...{ clock, tell: (message) => void told.push(message) },
    ask: (of) => {
      asked.push(of);
      return Promise.resolve(own);
    },
  });
  const client = new EventEmitter();
  trouble.watch(client as unknown as RedisClient, 'host:6379');
  return { clock, told, asked, trouble, client };
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

it('Q7: asks a server for its own words once in each outage, where its client has none of it', async () => {
  const { clock, asked, trouble, client } = watched('ERR max number of clients reached');
  client.emit('error', new Error('connect ECONNREFUSED 127.0.0.1:6379'));
  client.emit('reconnecting');
  await clock.advance(0);
  expect([asked, trouble.words()?.reason]).toEqual([[], 'connect ECONNREFUSED 127.0.0.1:6379']);
  for (let times = 0; times < 3; times += 1) {
    client.emit('error', new Error('Socket closed unexpectedly'));
    client.emit('reconnecting');
    await clock.advance(0);
  }
  expect([asked, trouble.words()?.reason]).toEqual([[client], 'ERR max number of clients reached']);
  client.emit('error', new Error('connect ECONNREFUSED 127.0.0.1:6379'));
  expect(trouble.words()?.reason).toBe('connect ECONNREFUSED 127.0.0.1:6379');
  client.emit('ready');
  client.emit('error', new Error('read ECONNRESET'));
  client.emit('reconnecting');
  expect(trouble.words()?.reason).toBe('read ECONNRESET');
  await clock.advance(0);
  expect(asked).toHaveLength(2);
});

it('Q9: tells that a server that is there takes no writes, and that it takes them again, once each', async () => {
  const { clock, told, trouble, client } = watched();
  expect(trouble.isAway()).toBe(true);
  trouble.refused('OOM command not allowed');
  client.emit('ready');
  expect([trouble.isAway(), trouble.words()]).toEqual([false, undefined]);
  trouble.refused(undefined);
  expect(told).toEqual([]);
  for (let times = 0; times < 2; times += 1) trouble.refused('OOM command not allowed');
  const hint = 'Raise maxmemory of the server, or lower retention: nothing new is taken until it has memory.';
  expect(trouble.words()).toEqual({ reason: 'OOM command not allowed', hint });
  for (let times = 0; times < 2; times += 1) trouble.refused(undefined);
  expect(trouble.words()).toBeUndefined();
  await clock.advance(10_000);
  expect(told).toEqual([
    `Redis at host:6379 takes no writes now: OOM command not allowed. ${hint}`,
    'Redis at host:6379 takes writes again.',
  ]);
});

it.each<readonly [unknown, string]>([
  [new AggregateError([], 'All attempts failed. '), 'All attempts failed'],
  [new AggregateError([new AggregateError([new Error('first'), new Error('last')])]), 'last'],
  ['no error...', 'no error'],
  [undefined, 'undefined'],
])('Q7: takes the last words of %s', (cause, reason) => {
  const { trouble, client } = watched();
  client.emit('error', cause);
  expect(trouble.words()).toEqual({ reason, hint: 'Check that the server runs, and its address.' });
});

it('Q7: says that a server does not answer whose client has said nothing', () => {
  expect(watched().trouble.words()).toEqual({
    reason: 'it does not answer',
    hint: 'Check that the server runs, and its address; if its port takes TLS alone, use rediss://.',
  });
});

it.each([
  ['connect ECONNREFUSED ::1:6379', /its port/u],
  ['getaddrinfo EAI_AGAIN redis', /name of the host/u],
  ['connect ENOENT /tmp/redis.sock', /its port/u],
  ['SSL routines:packet length too long', /take no TLS/u],
  ['SSL routines:record layer failure', /take no TLS/u],
  ['tlsv1 alert Unexpected message', /take no TLS/u],
  ['unable to verify the first one', /tls\.ca/u],
  ['the port answers in HTTP', /another service/u],
  ['the port answers in TLS', /rediss/u],
  ['socket hang up', /takes TLS alone/u],
  ['write EPIPE', /takes TLS alone/u],
  ['read ECONNRESET', /takes TLS alone/u],
  ['Connection is closed', /takes TLS alone/u],
  ['NOAUTH Authentication required', /user and password/u],
  ['ERR AUTH failed', /user and password/u],
  ['ERR the ACL forbids it', /rights/u],
  ['LOADING Redis is loading the dataset in memory', /reads its data/u],
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
