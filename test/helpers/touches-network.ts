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
  const { isNetwork, files } = importsOf(file);
  return isNetwork || files.some((imported) => touchesNetwork(imported, seen));
};

interface Imports {
  readonly isNetwork: boolean;
  /** The source files that it imports. */
  readonly files: readonly string[];
}

const known = new Map<string, Imports>();

/** Read once in a process: most files of tests import the same files of src. */
const importsOf = (file: string): Imports => {
  const imports = known.get(file) ?? readImports(file);
  known.set(file, imports);
  return imports;
};

const readImports = (file: string): Imports => {
  const names = [...readFileSync(file, 'utf8').matchAll(statements)].flatMap(([, isType, from = '']) =>
    isType === undefined ? [from] : [],
  );
  const files = names
    .filter((from) => from.startsWith('.'))
    .map((from) => join(dirname(file), from.replace(/\.js$/u, '.ts')));
  return { isNetwork: names.some((from) => network.has(from)), files: files.filter(existsSync) };
};

const statements = /^(?:import|export)\s+(type\s)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gmu;
