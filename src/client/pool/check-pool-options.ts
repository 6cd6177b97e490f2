import type { PoolOptions, ServerOptions } from './pool-types.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { ServiceError } from '../../core/errors/errors.js';

/** The name of a server where the program gives none: host and port, and the path if there is one. */
export const serverName = ({ name, baseUrl }: ServerOptions): string => name ?? addressOf(baseUrl);

/** The address without scheme, user and password; two servers may not have the same. */
export const addressOf = (baseUrl: string): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  return url === undefined ? baseUrl : `${url.host}${url.pathname.replace(/\/+$/u, '')}`;
};

/** Throws `InvalidConfig` for options of a pool that can't work. */
export const checkPoolOptions = ({ servers, placement, rules = {} }: PoolOptions): void => {
  const given: unknown = servers;
  if (!Array.isArray(given) || given.length === 0)
    throw invalid(
      'servers',
      'servers is empty.',
      'List at least one server: createPool({ servers: [{ baseUrl }] }).',
    );
  for (const server of servers) checkIsObject(server);
  if (placement !== undefined && typeof placement !== 'function')
    throw invalid(
      'placement',
      'placement is no function.',
      'Pass earliestEnd, or a function (job, servers) => name.',
    );
  for (const option of ['giveUpAfterMs', 'waitForServersMs'] as const)
    if (!isTime(rules[option]))
      throw invalid(
        `rules.${option}`,
        `rules.${option} is no time.`,
        'Give milliseconds from 0, or Infinity.',
      );
  if (rules.rerun !== undefined && !['lost', 'never'].includes(rules.rerun))
    throw invalid('rules.rerun', 'rules.rerun is neither lost nor never.', "Give 'lost' or 'never'.");
};

const checkIsObject = (server: unknown): void => {
  if (typeof server !== 'object' || server === null)
    throw invalid(
      'servers',
      'A server is no object.',
      "Give its address: { baseUrl: 'http://127.0.0.1:8188', dialect: 'local' }.",
    );
};

const isTime = (value: unknown): boolean => value === undefined || (typeof value === 'number' && value >= 0);

/** Throws `InvalidConfig` for a server that can't be added beside those of a pool. */
export const checkServer = (
  server: ServerOptions,
  others: Iterable<{ readonly name: string; readonly baseUrl: string }>,
): void => {
  checkIsObject(server);
  const { baseUrl }: { readonly baseUrl: unknown } = server;
  if (typeof baseUrl !== 'string' || baseUrl === '')
    throw invalid(
      'baseUrl',
      'A server has no address.',
      "Give each its own: { baseUrl: 'http://127.0.0.1:8188' }.",
    );
  const given: unknown = server.name;
  if (given !== undefined && typeof given !== 'string')
    throw invalid('name', 'The name of a server is no text.', 'Leave name out, or give one.');
  const name = serverName(server);
  if (name === '') throw invalid('name', 'A server has an empty name.', 'Leave name out, or give one.');
  for (const other of others) {
    if (addressOf(other.baseUrl) === addressOf(server.baseUrl))
      throw invalid(
        'servers',
        `The pool has ${addressOf(server.baseUrl)} twice.`,
        'List each server once; slots says how many jobs it runs at once.',
      );
    if (other.name === name)
      throw invalid('servers', `Two servers have the name ${name}.`, 'Give each a name of its own.');
  }
  if (!isTags(server.tags))
    throw invalid('tags', 'tags is no list of texts.', "List what the server has: tags: ['big'].");
  if (!isCount(server.slots, 1)) throw notACount('slots', 1);
  if (!isCount(server.ahead, 0)) throw notACount('ahead', 0);
};

/** Whether something is a list of tags, or none. */
export const isTags = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((tag) => typeof tag === 'string'));

const isCount = (value: unknown, least: number): boolean =>
  value === undefined || (Number.isSafeInteger(value) && (value as number) >= least);

const notACount = (option: string, least: number): ServiceError =>
  invalid(
    option,
    `${option} is no whole number from ${least}.`,
    option === 'slots'
      ? 'Say how many jobs the server runs at once; to give it none, use pauseServer.'
      : 'Say how many jobs it may hold beside those that it runs.',
  );

/** The error of a call that names a server which the pool does not have. */
export const unknownServer = (name: string, names: readonly string[]): ServiceError =>
  invalid(
    'server',
    `The pool has no server ${name}.`,
    `Its servers are ${names.join(', ') || 'none any more'}.`,
  );

const invalid = (option: string, message: string, hint: string): ServiceError =>
  serviceError('InvalidConfig', { option, message, hint });
