import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { peersRoot } from './install-peers.js';

const require = createRequire(new URL('package.json', peersRoot));

/**
 * Imports a package of benchmarks/package.json, whose types are not looked at: they are installed only to be measured.
 *
 * @param file a file of the package that its `exports` keep to itself
 */
export const loadPeer = async <Exports>(name: string, file?: string): Promise<Exports> => {
  const entry = require.resolve(name);
  const path = file === undefined ? entry : join(rootOf(entry, name), file);
  const loaded = (await import(pathToFileURL(path).href)) as Exports & { readonly default?: Exports };
  return loaded.default ?? loaded;
};

const rootOf = (entry: string, name: string): string => {
  let folder = dirname(entry);
  while (!folder.endsWith(join('node_modules', name))) folder = dirname(folder);
  return folder;
};
