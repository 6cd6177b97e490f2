import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const network: ReadonlySet<string> = new Set([
  'node:http',
  'node:net',
  'node:tls',
  'node:child_process',
  'ws',
  'undici',
]);

/** Whether a source file, or one that it imports, opens sockets or starts processes; types alone do not count. */
export const touchesNetwork = (file: string, seen = new Set<string>()): boolean => {
  if (seen.has(file)) return false;
  seen.add(file);
  for (const [, isType, from = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
    if (isType !== undefined) continue;
    if (network.has(from)) return true;
    const imported = join(dirname(file), from.replace(/\.js$/u, '.ts'));
    if (from.startsWith('.') && existsSync(imported) && touchesNetwork(imported, seen)) return true;
  }
  return false;
};

const imports = /^(?:import|export)\s+(type\s)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gmu;
