import type { ClientOptions } from '../../node.js';
import { readBaseUrl } from './read-base-url.js';
import { readDialect } from './read-dialect.js';
import { type KeySource, readKey } from './read-key.js';

/** The options that every command with a connection has. */
export interface ConnectionFlags {
  readonly keyFile?: string;
  readonly dialect?: 'cloud' | 'local';
}

/** Gathers from flags and environment what `createClient` takes; the key is `undefined` where none is set. */
export const readSettings = async (source: KeySource, flags: ConnectionFlags): Promise<ClientOptions> => {
  const dialect = readDialect(source.env, flags.dialect);
  const baseUrl = readBaseUrl(source.env, dialect);
  const wsUrl = source.env['PROMPTWIRE_WS_URL']?.trim() ?? '';
  const apiKey = dialect === 'local' ? undefined : await readKey(source, flags.keyFile);
  return {
    baseUrl,
    dialect,
    ...(wsUrl === '' ? {} : { wsUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
};
