import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import process from 'node:process';
import { serviceError } from '../../errors/service-error.js';

/** The options of a client that the environment may give. */
interface FromEnvironment {
  readonly baseUrl?: string | undefined;
  readonly wsUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly dialect?: string | undefined;
}

/** The variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Fills in options that a program does not give from PROMPTWIRE_BASE_URL, PROMPTWIRE_DIALECT, and PROMPTWIRE_API_KEY or the file that
 * PROMPTWIRE_API_KEY_FILE names.
 *
 * Where the program gives an address of another origin than the environment's, nothing is taken: a key of the environment goes to its
 * address only. Throws `InvalidConfig` for a key file that can't be read, or that others can read.
 */
export const withEnvironment = <Options extends FromEnvironment>(
  options: Options,
  env: () => Environment = processEnvironment,
): Options => {
  if (Object(options) !== options || isWhole(options)) return options;
  const variables = env();
  const address = textOf(variables['PROMPTWIRE_BASE_URL']);
  if (options.baseUrl !== undefined && !isOfOrigin(options.baseUrl, address)) return options;
  const takesKey = address !== undefined && isOfOrigin(options.wsUrl ?? address, address);
  const given = {
    baseUrl: options.baseUrl ?? address,
    dialect: options.dialect ?? textOf(variables['PROMPTWIRE_DIALECT']),
    apiKey: options.apiKey ?? (takesKey ? keyOf(variables) : undefined),
  };
  return {
    ...options,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
};

const isWhole = ({ baseUrl, apiKey, dialect }: FromEnvironment): boolean =>
  [baseUrl, apiKey, dialect].every((given) => given !== undefined);

/** The variables of the environment; none in Deno, which refuses them to a program without the permission. */
const processEnvironment = (): Environment => {
  const names = ['BASE_URL', 'API_KEY', 'API_KEY_FILE', 'DIALECT'].map((name) => `PROMPTWIRE_${name}`);
  try {
    return Object.fromEntries(names.map((name) => [name, process.env[name]]));
  } catch {
    return {};
  }
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Whether an address, of a service or of its socket, is of the origin of another. */
const isOfOrigin = (address: string, other: string | undefined): boolean => {
  try {
    return other !== undefined && originOf(address) === originOf(other);
  } catch {
    return false;
  }
};

const originOf = (address: string): string => new URL(address.trim().replace(/^ws/iu, 'http')).origin;

const keyOf = (variables: Environment): string | undefined => {
  const file = textOf(variables['PROMPTWIRE_API_KEY_FILE']);
  return textOf(variables['PROMPTWIRE_API_KEY']) ?? (file === undefined ? undefined : keyInFile(file));
};

const keyInFile = (file: string): string => {
  let text: string;
  let isOpen: boolean;
  try {
    isOpen = isOpenToOthers(file);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw refused(`The file of PROMPTWIRE_API_KEY_FILE can't be read (${code}).`);
  }
  if (isOpen)
    throw refused(
      'Others on this machine can read the file of PROMPTWIRE_API_KEY_FILE: close it to them (chmod 600).',
    );
  return text.trim();
};

/** A file of root that this program can't change is taken: container managers mount secrets so. */
const isOpenToOthers = (file: string): boolean => {
  const { mode, uid } = statSync(file);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return false;
  return uid !== 0 || (mode & 0o022) !== 0 || canWrite(file);
};

const canWrite = (file: string): boolean => {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const refused = (message: string): Error => serviceError('InvalidConfig', { option: 'apiKey', message });
