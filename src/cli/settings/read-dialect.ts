import type { CliIo } from '../cli-io.js';
import { UsageError } from '../usage-error.js';

/** Reads the kind of server: the flag first, then PROMPTWIRE_DIALECT; `cloud` where neither is set. */
export const readDialect = (env: CliIo['env'], flag?: 'cloud' | 'local'): 'cloud' | 'local' => {
  if (flag !== undefined) return flag;
  const value = env['PROMPTWIRE_DIALECT'];
  if (value === undefined || value === '' || value === 'cloud') return 'cloud';
  if (value === 'local') return 'local';
  throw new UsageError(`PROMPTWIRE_DIALECT is cloud or local, not ${value}`);
};
