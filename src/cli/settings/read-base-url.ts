import type { CliIo } from '../cli-io.js';
import { UsageError } from '../usage-error.js';

/** Finds the address of the service; a local one has a default. */
export const readBaseUrl = (env: CliIo['env'], dialect: 'cloud' | 'local'): string => {
  const baseUrl = env['PROMPTWIRE_BASE_URL']?.trim() ?? '';
  if (baseUrl !== '') return baseUrl;
  if (dialect === 'local') return 'http://127.0.0.1:8188';
  throw new UsageError(
    'no service is named: set PROMPTWIRE_BASE_URL to its address, for example https://example.com. ' +
      '`promptwire emulate` starts one on this machine and prints what to set.',
  );
};
