import type { QueueConnection } from '../options.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { ServiceErrorOf } from '../../../core/errors/errors.js';

/**
 * Throws `InvalidConfig` for a connection that names no server, so that no client falls back to the one on this machine: an unset
 * variable, a text or a member that is no address, members that no client reads.
 *
 * A text without a scheme (`host`, `host:6379`) is an address as well.
 */
export const checkConnection = (connection: QueueConnection): void => {
  const given: unknown = connection;
  if (given === undefined || given === null)
    throw refusal('connection is not set, where it has to name the Redis server.', unsetHint);
  if (typeof given === 'string') checkAddress(given);
  else if (typeof given !== 'object')
    throw refusal(`connection is a ${typeof given}, where an address is a text.`);
  else if (Array.isArray(given)) throw refusal('connection is a list, and a queue runs on one server.');
  else if (typeof (given as { readonly on?: unknown }).on !== 'function')
    checkOptions(given as Readonly<Record<string, unknown>>);
};

/** The address with its scheme, where it may lack one. */
export const withScheme = (address: string): string =>
  hasScheme(address) || address.startsWith('/') ? address : `redis://${address}`;

const unsetHint = 'Check the variable that the address comes from: it may be unset in this process.';
const addressHint = 'An address has the form redis://user:password@host:6379/0, with rediss for TLS.';

const refusal = (message: string, hint = addressHint): ServiceErrorOf<'InvalidConfig'> =>
  serviceError('InvalidConfig', { option: 'connection', message, hint });

const hasScheme = (address: string): boolean => /^[a-z][a-z\d+.-]*:\/\//iu.test(address);

const checkAddress = (given: string): void => {
  const address = given.trim();
  if (address === '' || address === 'undefined' || address === 'null')
    throw refusal(`connection is ${address === '' ? 'empty' : `the text "${address}"`}.`, unsetHint);
  if (address.startsWith('/')) return; // a socket of this machine
  checkUrl(address);
};

const checkUrl = (address: string): void => {
  // What follows may be secret, so no message repeats it.
  const scheme = /^([a-z][a-z\d+.-]*):\/\//iu.exec(address)?.[1]?.toLowerCase() ?? 'redis';
  if (scheme !== 'redis' && scheme !== 'rediss') {
    const hint = scheme.startsWith('http')
      ? `That is the address of an HTTP interface: take the one that begins with redis:// or rediss://.`
      : addressHint;
    throw refusal(`connection begins with ${scheme}://, which is no address of Redis.`, hint);
  }
  // A name without a scheme would be read as one.
  const read = withScheme(address).replace(/^rediss?:/iu, 'http:');
  const url = URL.canParse(read) ? new URL(read) : undefined;
  if (url === undefined || url.hostname === '' || lacksHost(address))
    throw refusal('connection is an address without a host, or with a port that is no number.');
  if (!/^\/?\d*$/u.test(url.pathname))
    throw refusal('connection is an address whose database, after the last slash, is no number.');
};

/** Whether nothing stands between a scheme, or user and password, and the port or the path: `URL` would take the path for the host. */
const lacksHost = (address: string): boolean => {
  const [, place] = /^[a-z]+:\/\/([^/?#]*)/iu.exec(address) ?? [];
  return place !== undefined && /^(?:$|:)/u.test(place.slice(place.lastIndexOf('@') + 1));
};

/** Options of a server need one of these members. */
const places = ['host', 'path', 'sentinels', 'port'] as const;

const checkOptions = (options: Readonly<Record<string, unknown>>): void => {
  if (options['keyPrefix'] !== undefined && options['keyPrefix'] !== '') throw refusedPrefix();
  for (const name of ['host', 'path'] as const)
    if (Object.hasOwn(options, name)) checkPlace(name, options[name]);
  const { port, db, sentinels } = options;
  checkNumber('port', port, [1, 65_535]);
  checkNumber('db', db, [0, Number.MAX_SAFE_INTEGER]);
  if (sentinels !== undefined) checkSentinels(options);
  if (places.some((name) => options[name] !== undefined)) return;
  const members = Object.keys(options);
  const shown = members.length === 0 ? 'no members' : `the members ${members.join(', ')}`;
  throw refusal(
    `connection has ${shown}, none of which names the server.`,
    `Options of ioredis name it by host and port, path or sentinels; an address is the text itself${'url' in options ? ', without an object around it' : ''}.`,
  );
};

const checkPlace = (name: 'host' | 'path', place: unknown): void => {
  if (place === undefined || place === null || place === '')
    throw refusal(`connection.${name} is ${place === '' ? 'empty' : 'not set'}.`, unsetHint);
  const isPlace = typeof place === 'string' && (name === 'path' || !/[\s/@]|^[^:]*:[^:]*$/u.test(place));
  if (isPlace) return;
  throw refusal(`connection.${name} is no ${name === 'host' ? 'name or IP address of a server' : 'path'}.`);
};

const checkNumber = (name: string, given: unknown, [least, most]: readonly [number, number]): void => {
  if (given === undefined || given === null) return;
  const isText = typeof given === 'string' && /^\d+$/u.test(given);
  const value = isText ? Number(given) : given;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return;
  throw refusal(`connection.${name} is no whole number from ${least}${most > 65_535 ? '' : ` to ${most}`}.`);
};

const checkSentinels = ({ sentinels, name }: Readonly<Record<string, unknown>>): void => {
  if (!Array.isArray(sentinels) || sentinels.length === 0)
    throw refusal('connection.sentinels is no list of at least one Sentinel.');
  for (const one of sentinels as readonly unknown[]) {
    const { host, port } = (typeof one === 'object' && one !== null ? one : {}) as Readonly<
      Record<string, unknown>
    >;
    checkPlace('host', host);
    checkNumber('port', port, [1, 65_535]);
  }
  if (typeof name !== 'string' || name === '')
    throw refusal('connection.name, the name of the server at its Sentinels, is not set.', unsetHint);
};

/** The error for a connection whose client would add a prefix to each key. */
export const refusedPrefix = (): ServiceErrorOf<'InvalidConfig'> =>
  refusal(
    'connection has a keyPrefix, which the scripts of a queue do not add to their keys.',
    'Leave keyPrefix out: all keys of a queue begin with its name.',
  );
