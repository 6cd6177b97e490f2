import type { Command } from 'commander';
import {
  type ConnectionFlags,
  dialectNames,
  isOfEnvironment,
  type KeySource,
  readKey,
  readKeyFor,
  type Settings,
  sharedSettings,
} from '../settings.js';
import { type CliIo, UsageError } from '../cli-io.js';
import type { Dialect } from '../../node.js';
import { readJson } from './read-json.js';
import type { ServerOptions } from '../../pool.js';

/** The options of every command that takes many servers. */
export interface ServerFlags {
  readonly server?: readonly string[];
  readonly servers?: string;
}

/** Adds the options of {@link ServerFlags}. */
export const withServers = (command: Command): Command =>
  command
    .option(
      '--server <url>',
      'address of one of many servers, each of the local dialect unless --dialect names another; repeatable',
      (url: string, before: readonly string[] | undefined) => [...(before ?? []), url],
    )
    .option('--servers <file>', 'read the servers from this file: a JSON list of addresses or objects');

/** Whether flags name servers, so that the command works with all of them; `--base-url` may not stand beside. */
export const namesServers = ({
  server,
  servers,
  baseUrl,
}: ServerFlags & Pick<ConnectionFlags, 'baseUrl'>): boolean => {
  const isNamed = server !== undefined || servers !== undefined;
  if (isNamed && baseUrl !== undefined)
    throw new UsageError(
      '--base-url names one service, and --server or --servers many: give the one or the others. Nothing was sent.',
    );
  return isNamed;
};

/** Reads the servers of a pool from flags and file; the environment's address does not count. */
export const readServers = async (
  source: KeySource,
  { server = [], servers, ...flags }: ServerFlags & ConnectionFlags,
): Promise<readonly PooledServer[]> => {
  for (const url of server) checkAddress(url);
  const listed = servers === undefined ? [] : await readServersFile(servers, source);
  const entries: readonly ServerEntry[] = [...server.map((baseUrl) => ({ baseUrl })), ...listed];
  const keys = keyReader(source);
  const shared = await sharedSettings(source, flags);
  const read: PooledServer[] = [];
  for (const { keyFile = flags.keyFile, dialect = flags.dialect ?? 'local', ...entry } of entries) {
    const apiKey = await keys(dialect, keyFile, entry.baseUrl);
    read.push({ ...shared, ...entry, dialect, ...(apiKey !== undefined && { apiKey }) });
  }
  return read;
};

const checkAddress = (url: string): void => {
  if (!isAddress(url))
    throw new UsageError(
      `--server takes an address such as http://127.0.0.1:8188, and got ${JSON.stringify(url)}`,
    );
};

/** The options of a server with its key and headers. */
type PooledServer = ServerOptions & Settings;

/** Reads each key file once, as several servers may share standard input. */
const keyReader = (source: KeySource) => {
  const read = new Map<string, Promise<string | undefined>>();
  return (dialect: Dialect, keyFile: string | undefined, baseUrl: string): Promise<string | undefined> => {
    const elsewhere = !isOfEnvironment(source.env, baseUrl) && '--server';
    if (keyFile === undefined || dialect === 'local') return readKeyFor(dialect, source, keyFile, elsewhere);
    const key = read.get(keyFile) ?? readKey(source, keyFile, elsewhere);
    read.set(keyFile, key);
    return key;
  };
};

/** One server of a file: options of `createPool`, and the file of its key. */
interface ServerEntry extends Pick<ServerOptions, 'baseUrl' | 'name' | 'tags' | 'slots' | 'ahead'> {
  readonly dialect?: Dialect;
  readonly keyFile?: string;
}

const readServersFile = async (
  file: string,
  source: KeySource & Pick<CliIo, 'stdin'>,
): Promise<readonly ServerEntry[]> => {
  const { value } = await readJson(file, source);
  if (!Array.isArray(value) || value.length === 0)
    throw new UsageError(`${file} holds no list of servers: ${example}`);
  return value.map((entry: unknown, index) => {
    const problem = problemOf(entry);
    if (problem !== undefined) throw new UsageError(`${file}, server ${index + 1}: ${problem}; ${example}`);
    return typeof entry === 'string' ? { baseUrl: entry } : (entry as ServerEntry);
  });
};

const example =
  'write ["http://127.0.0.1:8188", { "baseUrl": "http://attic:8188", "name": "attic", "tags": ["big"] }]';

/** Why an element of the list is no server; undefined if it is one. What the pool checks by itself is left to it. */
const problemOf = (entry: unknown): string | undefined => {
  if (typeof entry === 'string')
    return isAddress(entry) ? undefined : `${JSON.stringify(entry)} is no address`;
  if (typeof entry !== 'object' || entry === null) return 'it is neither an address nor an object';
  const unknown = Object.keys(entry).find((name) => !Object.hasOwn(members, name));
  if (unknown !== undefined) return `${unknown} is not one of ${Object.keys(members).join(', ')}`;
  const given = entry as Readonly<Record<string, unknown>>;
  if (given['baseUrl'] === undefined) return 'it has no baseUrl';
  const wrong = Object.entries(members).find(
    ([name, [isRight]]) => given[name] !== undefined && !isRight(given[name]),
  );
  return wrong === undefined ? undefined : `${wrong[0]} is ${wrong[1][1]}`;
};

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isAddress = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:\/\/[^/]/u.test(value) && URL.canParse(value);
const isNumber = (value: unknown): boolean => typeof value === 'number';

/** What each member is, and the words for it. */
const members: Readonly<
  Record<keyof ServerEntry, readonly [isRight: (value: unknown) => boolean, is: string]>
> = {
  baseUrl: [isAddress, 'an address in quotes'],
  name: [isText, 'a name in quotes'],
  tags: [(value) => Array.isArray(value) && value.every(isText), 'a list of words'],
  slots: [isNumber, 'a number'],
  ahead: [isNumber, 'a number'],
  dialect: [(value) => dialectNames.some((name) => name === value), `one of ${dialectNames.join(', ')}`],
  keyFile: [isText, 'the path of a file'],
};
