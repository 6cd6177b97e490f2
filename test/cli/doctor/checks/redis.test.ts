import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { placeOf, redisCheck } from '../../../../src/cli/doctor/checks/redis.js';

const found = (redis: string | undefined, patienceMs = 5_000) =>
  redisCheck.look({ redis, patienceMs, stop: new AbortController().signal } as never);

/** A server of Redis that answers by the first word of a command, in these pieces; what it was told. */
const redisWith = async (answers: Readonly<Record<string, readonly string[]>>) => {
  const told: string[][] = [];
  const raw: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => {
      raw.push(bytes.toString());
      const words = [...bytes.toString().matchAll(/\$\d+\r\n([^\r]*)\r\n/gu)].map(([, word = '']) => word);
      told.push(words);
      const pieces = [...(answers[words[0] ?? ''] ?? ['-ERR\r\n'])];
      const next = (): void => {
        const piece = pieces.shift();
        // Each goes by itself: the next one follows once this one has left.
        if (piece !== undefined) socket.write(piece, () => setImmediate(next));
      };
      next();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { at: `127.0.0.1:${(server.address() as AddressInfo).port}`, told, raw };
};

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;
const policy = (word: string): string => `*2\r\n${bulk('maxmemory-policy')}${bulk(word)}`;
const info = bulk('# Server\r\nredis_version:7.4.0\r\nos:any\r\n');

it('Redis listens on the port of the address, or on its own', () => {
  expect(placeOf(new URL('redis://a.example'))).toEqual({ host: 'a.example', port: 6379 });
  expect(placeOf(new URL('rediss://a.example:7000'))).toEqual({ host: 'a.example', port: 7000 });
});

describe('the check of Redis', () => {
  it.each([undefined, ''])('is skipped where no server is named: %j', async (redis) => {
    expect(await found(redis)).toEqual({ status: 'skipped', message: 'no Redis server is named' });
  });

  it.each(['127.0.0.1', 'http://127.0.0.1:6379', 'redis2://a'])(
    'takes no address such as %s',
    async (redis) => {
      expect(await found(redis)).toMatchObject({
        status: 'failed',
        message: 'the address of Redis is invalid',
      });
    },
  );

  it('finds nothing wrong with a server that keeps what it is given, and says no password', async () => {
    const { at, told, raw } = await redisWith({
      PING: ['+PONG\r\n'],
      CONFIG: [policy('noeviction')],
      INFO: [info],
    });
    expect(await found(`redis://${at}`)).toEqual({
      status: 'ok',
      message: 'Redis 7.4.0 answers and keeps what it is given',
    });
    expect(raw[1]).toBe('*3\r\n$6\r\nCONFIG\r\n$3\r\nGET\r\n$16\r\nmaxmemory-policy\r\n');
    expect(told).toEqual([['PING'], ['CONFIG', 'GET', 'maxmemory-policy'], ['INFO', 'server']]);
  });

  it('warns of a server that throws keys away', async () => {
    const { at } = await redisWith({ PING: ['+PONG\r\n'], CONFIG: [policy('allkeys-lru')], INFO: [info] });
    expect(await found(`redis://${at}`)).toMatchObject({
      status: 'warning',
      message: 'Redis 7.4.0 throws keys away when it is full (allkeys-lru)',
    });
  });

  it('takes answers in pieces, cut anywhere', async () => {
    const { at } = await redisWith({
      PING: ['+PO', 'NG\r', '\n'],
      CONFIG: policy('noeviction').split(/(?=.)/su),
      INFO: ['$', info.slice(1, 20), info.slice(20, -1), info.slice(-1)],
    });
    expect(await found(`redis://${at}`)).toEqual({
      status: 'ok',
      message: 'Redis 7.4.0 answers and keeps what it is given',
    });
  });

  it('is content where the host tells neither the setting nor the version', async () => {
    const silent = { PING: ['+PONG\r\n'], CONFIG: ['-ERR unknown\r\n'], INFO: ['$-1\r\n'] };
    const { at } = await redisWith(silent);
    expect(await found(`redis://${at}`)).toEqual({
      status: 'ok',
      message: 'Redis of an unknown version answers',
    });
    const empty = await redisWith({ ...silent, CONFIG: ['*0\r\n'] });
    expect(await found(`redis://${empty.at}`)).toMatchObject({ status: 'ok' });
  });

  it('logs in with the name and password of the address', async () => {
    const well = { AUTH: ['+OK\r\n'], PING: ['+PONG\r\n'], CONFIG: [policy('noeviction')], INFO: [info] };
    const { at, told } = await redisWith(well);
    await found(`redis://:a%40b@${at}`);
    await found(`redis://me%20too:word@${at}`);
    expect(told.filter(([word]) => word === 'AUTH')).toEqual([
      ['AUTH', 'a@b'],
      ['AUTH', 'me too', 'word'],
    ]);
  });

  it('says that the password is refused, and asks no more', async () => {
    const { at, told } = await redisWith({ AUTH: ['-WRONGPASS invalid\r\n'], PING: ['+PONG\r\n'] });
    const { status, message, fix } = await found(`redis://:word@${at}`);
    expect([status, message, fix]).toEqual([
      ...['failed', 'Redis refuses the password', 'Correct it in PROMPTWIRE_REDIS_URL.'],
    ]);
    expect(told).toHaveLength(1);
  });

  it('says what else is answered to a ping, in brief', async () => {
    const { at } = await redisWith({ PING: [`-NOAUTH ${'x'.repeat(99)}\r\n`] });
    expect(await found(`redis://${at}`)).toEqual({
      status: 'failed',
      message: `Redis answers -NOAUTH ${'x'.repeat(52)}`,
      fix: 'It may want a password: redis://:PASSWORD@HOST:6379.',
    });
  });

  it('says that no server answers', async () => {
    expect(await found('redis://127.0.0.1:1')).toMatchObject({
      status: 'failed',
      message: 'Redis does not answer (ECONNREFUSED)',
    });
    const { at } = await redisWith({ PING: [] });
    expect(await found(`redis://${at}`, 50)).toMatchObject({
      message: 'Redis does not answer (no answer in time)',
    });
    // A server without TLS.
    const plain = await redisWith({ '': ['+PONG\r\n'] });
    expect(await found(`rediss://${plain.at}`, 500)).toMatchObject({ status: 'failed' });
  });
});
