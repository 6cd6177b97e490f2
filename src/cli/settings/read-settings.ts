import type { ClientOptions } from '../../node.js';
import { UsageError } from '../usage-error.js';
import { type KeySource, readKey } from './read-key.js';

/** The options that every command with a connection has. */
export interface ConnectionFlags {
  readonly keyFile?: string;
  readonly dialect?: 'cloud' | 'local';
}

/** Gathers from flags and environment what `createClient` takes; the key is `undefined` where none is set. */
export const readSettings = async (source: KeySource, flags: ConnectionFlags): Promise<ClientOptions> => {
  const dialect = flags.dialect ?? readDialect(source.env['PROMPTWIRE_DIALECT']);
  const wsUrl = set(source.env['PROMPTWIRE_WS_URL']);
  const baseUrl =
    set(source.env['PROMPTWIRE_BASE_URL']) ?? (dialect === 'local' ? 'http://127.0.0.1:8188' : undefined);
  if (baseUrl === undefined) {
    throw new UsageError(
      'no service is named: set PROMPTWIRE_BASE_URL to its address, for example https://example.com. ' +
        '`promptwire emulate` starts one on this machine and prints what to set.',
    );
  }
  const apiKey = dialect === 'local' ? undefined : await readKey(source, flags.keyFile);
  return {
    baseUrl,
    dialect,
    ...(wsUrl === undefined ? {} : { wsUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
};

const set = (value: string | undefined): string | undefined =>
  value?.trim() === '' ? undefined : value?.trim();

const readDialect = (value: string | undefined): 'cloud' | 'local' => {
  if (value === undefined || value === '' || value === 'cloud') return 'cloud';
  if (value === 'local') return 'local';
  throw new UsageError(`PROMPTWIRE_DIALECT is cloud or local, not ${value}`);
};
