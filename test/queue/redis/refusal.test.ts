import { expect, it } from 'vitest';
import {
  isOfReplica,
  isRefusal,
  refusalHint,
  withRefusals,
  wordsOf,
} from '../../../src/server/queue/redis/refusal.js';
import { patience } from '../../../src/server/queue/redis/patience.js';
import type { RedisCommands } from '../../../src/server/queue/redis/redis-commands.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { virtualClock } from '../../../src/testing.js';

/** Commands of a server that says this. */
const saying = (words: string) =>
  withRefusals({
    send: () => Promise.reject(new Error(words)),
    sendForBytes: () => Promise.reject(new Error(words)),
    evalsha: () => Promise.reject(new Error(words)),
    again: (call: () => Promise<unknown>) => call(),
    address: () => 'host:6379',
  } as unknown as RedisCommands);

it.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", 'OOM', 'maxmemory'],
  ['NOREPLICAS Not enough good replicas to write.', 'NOREPLICAS', 'min-replicas-to-write'],
  ['MISCONF Redis is configured to save RDB snapshots', 'MISCONF', 'disk'],
  ['LOADING Redis is loading the dataset in memory', 'LOADING', 'once it has'],
  ['ASK 3999 10.0.0.1:6381', 'ASK', 'cluster'],
  ['TRYAGAIN Multiple keys request during rehashing of slot', 'TRYAGAIN', 'cluster'],
  ['MOVED 3999 10.0.0.1:6381', 'MOVED', 'cluster'],
  ['-CLUSTERDOWN Hash slot not served', 'CLUSTERDOWN', 'cluster'],
  [
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'MASTERDOWN',
    'primary',
  ],
  ['BUSY Redis is busy running a script.', 'BUSY', 'script'],
  ['READONLY You can not write. script: 2f, on @user_script:1.', 'READONLY', 'replica'],
])('Q9 %s is an error that says what to do, and that nothing was changed', async (words, code, hint) => {
  const error = await saying(words)
    .send('PING')
    .catch((cause: unknown) => cause);
  expect(isRefusal(error)).toBe(true);
  expect(error).toMatchObject({
    ...{ _tag: 'Network', code, sent: false, retryAfterMs: 5_000 },
    ...{ hint: expect.stringContaining(hint) as string },
  });
  expect(String(error)).toContain('Redis at host:6379 takes no writes now: ');
  expect(String(error)).not.toContain('user_script');
});

it('Q9 each call of a queue is told so', async () => {
  const { send, sendForBytes, evalsha, again } = saying('-OOM no memory... script: 2f, on @user_script:1.');
  const refused = () => Promise.reject(new Error('OOM no memory'));
  for (const call of [send('SET'), sendForBytes('GET'), evalsha('sha', [], []), again(refused)]) {
    const error = await call.catch((cause: unknown) => cause);
    expect([isRefusal(error), isRefusal(error) && wordsOf(error)]).toEqual([true, 'OOM no memory']);
  }
  expect(isRefusal(new Error('OOM no memory'))).toBe(false);
});

it('Q9 a server that has become a replica or a node of a cluster may have been followed by another', () => {
  const words = ['READONLY You', 'MOVED 1 a', 'OOM no', 'ERR READONLY', 'READONLYx'];
  expect(words.map(isOfReplica)).toEqual([true, true, false, false, false]);
});

it('Q9 any other error of the server stays as it is', async () => {
  const own = serviceError('Timeout', { message: 'OOM', timeoutMs: 1 } as never);
  await expect(saying('x').again(() => Promise.reject(own))).rejects.toBe(own);
  await expect(saying('WRONGTYPE Operation').send('GET', 'a')).rejects.toThrow(/^WRONGTYPE Operation$/u);
  await expect(saying('x').again(() => Promise.reject(new Error('OOMPH')))).rejects.toThrow(/^OOMPH$/u);
});

it('Q9 a worker makes a call again each second until the server takes it, or the worker ends', async () => {
  const clock = virtualClock();
  const ended = new AbortController();
  const words: string[] = [];
  const patient = patience({ clock, ended: ended.signal, refused: (one) => void words.push(one) });
  const { send } = saying('OOM command not allowed');
  let calls = 0;
  const call = () => ((calls += 1) < 3 ? send('SET') : Promise.resolve('kept'));
  const kept = patient(call);
  await clock.advance(2_000);
  expect([await kept, calls, words]).toEqual(['kept', 3, Array(2).fill('OOM command not allowed')]);
  await expect(patient(() => Promise.reject(new Error('ERR other')))).rejects.toThrow('ERR other');
  const given = patient(() => send('SET')).catch((error: unknown) => isRefusal(error));
  await clock.advance(5_000);
  ended.abort();
  expect(await given).toBe(true);
});

it('Q9 only words that begin so say what to do', () => {
  const words = [
    'no OOM',
    'a READONLY',
    'x MOVED',
    'too BUSY',
    'is LOADING',
    'a MISCONF',
    'no NOREPLICAS',
    'x MASTERDOWN',
  ];
  expect(words.map(refusalHint)).toEqual(words.map(() => undefined));
  expect(['OOM no', '-OOM no'].map((one) => refusalHint(one) !== undefined)).toEqual([true, true]);
  expect(isRefusal(serviceError('FileSystem', { code: 'OOM', message: 'full' } as never))).toBe(false);
});
