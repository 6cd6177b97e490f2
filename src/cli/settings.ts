import { type ClientOptions, type Dialect, proxyFromEnv, serviceError } from '../node.js';
import { type CliIo, UsageError } from './cli-io.js';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readHeaders } from './input/headers.js';
import { readText, type TextSource } from './input/read-json.js';
import { refuseOpenFile } from './input/private-file.js';

/** The options that every command with a connection has. */
export interface ConnectionFlags {
  readonly keyFile?: string;
  readonly header?: readonly string[];
  readonly dialect?: Dialect;
  /** In place of PROMPTWIRE_BASE_URL. */
  readonly baseUrl?: string;
  readonly auth?: 'key' | 'bearer';
  readonly workspace?: string;
  readonly allowClearText?: boolean;
  readonly maxAnswerBytes?: number;
  readonly maxMessageBytes?: number;
}

/** The options of `createClient` that {@link readSettings} gives. */
export interface Settings extends ClientOptions {
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** Reads the options of `createClient` from flags and environment; the key is undefined if none is set. */
export const readSettings = async (source: KeySource, flags: ConnectionFlags): Promise<Settings> => {
  const dialect = readDialect(source.env, flags.dialect);
  const baseUrl = readBaseUrl(source.env, dialect, flags.baseUrl);
  const isElsewhere = flags.baseUrl !== undefined && !isOfEnvironment(source.env, flags.baseUrl);
  const wsUrl = isElsewhere ? '' : (source.env['PROMPTWIRE_WS_URL']?.trim() ?? '');
  const apiKey = await readKeyFor(dialect, source, flags.keyFile, isElsewhere && '--base-url');
  return {
    baseUrl,
    dialect,
    ...(await sharedSettings(source, flags)),
    ...(wsUrl === '' ? {} : { wsUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
};

/** Reads what is the same for every server that a command reaches: proxy, headers and bounds. */
export const sharedSettings = async (
  source: KeySource,
  flags: ConnectionFlags,
): Promise<Omit<Settings, 'baseUrl'>> => {
  const agent = proxyFromEnv(source.env);
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(flags.header === undefined ? {} : { headers: await readHeaders(flags.header, source) }),
    ...(flags.auth === undefined ? {} : { auth: flags.auth }),
    ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
    ...(flags.allowClearText === true || source.env['PROMPTWIRE_ALLOW_CLEAR_TEXT'] === '1'
      ? { allowClearText: true }
      : {}),
    ...boundOf(source.env, 'maxAnswerBytes', 'PROMPTWIRE_MAX_ANSWER_BYTES', flags.maxAnswerBytes),
    ...boundOf(source.env, 'maxMessageBytes', 'PROMPTWIRE_MAX_MESSAGE_BYTES', flags.maxMessageBytes),
    ...earlyBytesOf(source.env),
  };
};

/** A bound in bytes: the flag first, then the variable. */
export const boundOf = <Name extends 'maxAnswerBytes' | 'maxMessageBytes' | 'earlyBytes'>(
  env: CliIo['env'],
  option: Name,
  variable: string,
  flag?: number,
): { readonly [Option in Name]?: number } => {
  const text = env[variable]?.trim() ?? '';
  const bytes = flag ?? (text === '' ? undefined : Number(text));
  if (bytes === undefined) return {};
  if (!(bytes > 0)) throw new UsageError(`${variable} is a number of bytes, not ${text}`);
  return { [option]: bytes } as { readonly [Option in Name]?: number };
};

const earlyBytesOf = (env: CliIo['env']): Pick<ClientOptions, 'keptFrames'> => {
  const keptFrames = boundOf(env, 'earlyBytes', 'PROMPTWIRE_EARLY_BYTES');
  return keptFrames.earlyBytes === undefined ? {} : { keptFrames };
};

/** Finds the address of the service; a local one has a default, but not in place of an empty flag. */
export const readBaseUrl = (env: CliIo['env'], dialect: Dialect, flag?: string): string => {
  if (flag?.trim() === '')
    throw new UsageError('--base-url is empty: the variable that it comes from may be unset in this process');
  const baseUrl = (flag ?? env['PROMPTWIRE_BASE_URL'])?.trim() ?? '';
  if (baseUrl !== '') return baseUrl;
  if (dialect === 'local') return 'http://127.0.0.1:8188';
  throw new UsageError(
    'no service is named: set PROMPTWIRE_BASE_URL to its address, for example https://cloud.comfy.org, or give it with --base-url. ' +
      '`promptwire emulate` starts one on this machine and prints what to set.',
  );
};

/** Each dialect, as the help of `--dialect` describes it: a new one does not compile without its words. */
const dialects = {
  cloud: 'default, with a key',
  local: 'without one',
  v2: 'API v2',
} satisfies Record<Dialect, string>;

/** The names of the dialects, as `--dialect` and PROMPTWIRE_DIALECT take them. */
export const dialectNames = Object.keys(dialects) as readonly Dialect[];

/** Names as a sentence has them: `cloud, local or v2`. */
const listed = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;

/** What `--dialect` takes, for the help. */
export const dialectsHelp = Object.entries(dialects)
  .map(([name, what], at, all) => `${at === all.length - 1 ? 'or ' : ''}${name} (${what})`)
  .join(', ');

/** Reads the kind of server: the flag first, then PROMPTWIRE_DIALECT; `cloud` where neither is set. */
export const readDialect = (env: CliIo['env'], flag?: Dialect): Dialect => {
  if (flag !== undefined) return flag;
  const value = env['PROMPTWIRE_DIALECT'];
  if (value === undefined || value === '') return 'cloud';
  const dialect = dialectNames.find((name) => name === value);
  if (dialect !== undefined) return dialect;
  throw new UsageError(`PROMPTWIRE_DIALECT is ${listed(dialectNames)}, not ${value}`);
};

/** The sources of a key. */
export type KeySource = TextSource & Pick<CliIo, 'env'>;

/**
 * Finds the API key: `--key-file` first (`-` is standard input), then PROMPTWIRE_API_KEY, then PROMPTWIRE_API_KEY_FILE. A key of the
 * environment is refused for an address elsewhere, before its file is read.
 *
 * @param elsewhere - The flag that names an address of another origin than the environment's; false if none does.
 */
export const readKey = async (
  source: KeySource,
  keyFile: string | undefined,
  elsewhere: string | false,
): Promise<string | undefined> => {
  if (keyFile !== undefined) return fromFile(keyFile, source);
  const { PROMPTWIRE_API_KEY: key = '', PROMPTWIRE_API_KEY_FILE: file = '' } = source.env;
  if (key === '' && file === '') return undefined;
  if (elsewhere !== false) throw keyOfAnother(elsewhere);
  return key === '' ? fromFile(file, source) : usable(key.trim(), 'PROMPTWIRE_API_KEY');
};

/** The key for a server of this kind, see {@link readKey}. A local one takes none, but a `--key-file` that can't be read is refused there, too. */
export const readKeyFor = async (
  dialect: Dialect,
  ...from: Parameters<typeof readKey>
): Promise<string | undefined> => {
  const [, keyFile] = from;
  if (dialect !== 'local') return readKey(...from);
  if (keyFile !== undefined && keyFile !== '-') await readKey(...from);
  return undefined;
};

/** Whether an address is of the origin of PROMPTWIRE_BASE_URL. One that is no address is left to the client, which refuses it. */
export const isOfEnvironment = (env: CliIo['env'], address: string): boolean => {
  const own = env['PROMPTWIRE_BASE_URL']?.trim() ?? '';
  return !URL.canParse(address) || (URL.canParse(own) && new URL(own).origin === new URL(address).origin);
};

const keyOfAnother = (flag: string): Error =>
  serviceError('InvalidConfig', {
    option: 'apiKey',
    message: `The key of the environment is for the address in PROMPTWIRE_BASE_URL, and ${flag} names another origin.`,
    hint: 'Nothing was sent. Give the key of that service with --key-file FILE, or set PROMPTWIRE_BASE_URL to its address.',
  });

const fromFile = async (file: string, source: TextSource): Promise<string> => {
  const content = await readText(file, source);
  if (file !== '-') await refuseOpenFile(file, 'key');
  return usable(content.trim(), file === '-' ? 'standard input' : file);
};

const usable = (key: string, source: string): string => {
  if (key === '') throw new UsageError(`${source} holds no key`);
  if (!/^[\x21-\x7E]+$/u.test(key)) throw new UsageError(`what ${source} holds is no key: a key is one word`);
  return key;
};

/** The folder of the records of job keys: PROMPTWIRE_STATE_DIR, else `promptwire` in XDG_STATE_HOME or ~/.local/state. */
export const stateFolder = (env: CliIo['env']): string => {
  const { PROMPTWIRE_STATE_DIR: own = '', XDG_STATE_HOME: xdg = '', HOME: home = '' } = env;
  if (own !== '') return own;
  if (xdg !== '') return join(xdg, 'promptwire');
  return join(home === '' ? homedir() : home, '.local', 'state', 'promptwire');
};

/** Refuses a key among the arguments, where `ps` and the shell's history show it; the key is never repeated. */
export const refuseKeyArgument = (argv: readonly string[]): void => {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  if (flags.some((flag) => /^--(?:api-?key|key|token)(?:=|$)/iu.test(flag))) {
    throw new UsageError(
      'a key is not taken as an argument: others on this machine could read it in the list of processes, and your ' +
        'shell would keep it. Set PROMPTWIRE_API_KEY, or put it into a file and name that: --key-file FILE.',
    );
  }
};
