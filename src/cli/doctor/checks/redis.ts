import { type Check, failed, type Found, ok, skipped, warning } from '../finding.js';
import { connect as overTcp, type Socket } from 'node:net';
import { connect as overTls } from 'node:tls';
import { once } from 'node:events';
import { reason } from '../ask.js';

/** Whether the server of a queue answers, and keeps what it is given. */
export const redisCheck: Check = {
  name: 'redis',
  exit: 'network',
  look: async ({ redis, stop, patienceMs }) => {
    if (redis === undefined || redis === '') return skipped('no Redis server is named');
    if (!URL.canParse(redis) || !/^rediss?:$/u.test(new URL(redis).protocol))
      return failed('the address of Redis is invalid', 'Write redis://HOST:6379, or rediss: for TLS.');
    const url = new URL(redis);
    const where = placeOf(url);
    const socket: Socket = url.protocol === 'rediss:' ? overTls(where) : overTcp(where);
    const signal = AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]);
    try {
      await once(socket, url.protocol === 'rediss:' ? 'secureConnect' : 'connect', { signal });
      const say = conversation(socket, signal);
      return (await refusal(say, url)) ?? (await settingsOf(say));
    } catch (error) {
      return failed(`Redis does not answer (${reason(error)})`, 'Start it, or correct PROMPTWIRE_REDIS_URL.');
    } finally {
      socket.on('error', () => undefined);
      socket.destroy();
    }
  },
};

/** Where the server of an address listens. */
export const placeOf = ({ hostname, port }: URL): { readonly host: string; readonly port: number } => ({
  host: hostname,
  port: port === '' ? 6379 : Number(port),
});

/** Logs in where the address has a password; what Redis refuses, undefined if it answers. */
const refusal = async (say: Say, { username, password }: URL): Promise<Found | undefined> => {
  if (password !== '') {
    const names = username === '' ? [] : [decodeURIComponent(username)];
    const answer = await say('AUTH', ...names, decodeURIComponent(password));
    if (answer.startsWith('-'))
      return failed('Redis refuses the password', 'Correct it in PROMPTWIRE_REDIS_URL.');
  }
  const pong = await say('PING');
  return pong.startsWith('+PONG')
    ? undefined
    : failed(`Redis answers ${pong.slice(0, 60).trim()}`, noPassword);
};

/** The version, and whether it keeps what it is given; some hosts do not let callers read that setting. */
const settingsOf = async (say: Say): Promise<Found> => {
  const policy = /maxmemory-policy\r\n\$\d+\r\n(\S+)/u.exec(
    await say('CONFIG', 'GET', 'maxmemory-policy'),
  )?.[1];
  const version = /redis_version:(\S+)/u.exec(await say('INFO', 'server'))?.[1] ?? 'of an unknown version';
  if (policy !== undefined && policy !== 'noeviction')
    return warning(
      `Redis ${version} throws keys away when it is full (${policy})`,
      'Set maxmemory-policy noeviction: jobs would be lost.',
    );
  return ok(`Redis ${version} answers${policy === undefined ? '' : ' and keeps what it is given'}`);
};

const noPassword = 'It may want a password: redis://:PASSWORD@HOST:6379.';

/** Sends a command of Redis, and resolves with its answer. */
type Say = (...words: readonly string[]) => Promise<string>;

/** Sends one command at a time, and resolves with the bytes of its answer up to a pause that ends it: a line, or a bulk of its length. */
const conversation =
  (socket: Socket, signal: AbortSignal): Say =>
  async (...words) => {
    socket.write(
      `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`,
    );
    let text = '';
    while (!isWhole(text)) text += String((await once(socket, 'data', { signal }))[0]);
    return text;
  };

/** Whether a reply of RESP has come to its end. */
const isWhole = (text: string): boolean => endOf(text, 0) !== undefined;

/** Where the reply that begins at `at` ends; undefined if more has to come. */
const endOf = (text: string, at: number): number | undefined => {
  const line = text.indexOf('\r\n', at);
  if (line < 0) return undefined;
  const size = Number(text.slice(at + 1, line));
  if (text[at] === '$')
    return size < 0 ? line + 2 : text.length >= line + 4 + size ? line + 4 + size : undefined;
  if (text[at] !== '*') return line + 2;
  let end: number | undefined = line + 2;
  for (let item = 0; item < size && end !== undefined; item += 1) end = endOf(text, end);
  return end;
};
