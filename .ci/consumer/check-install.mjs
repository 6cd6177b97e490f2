import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { manifest } from '../../scripts/entries.mjs';

/** The package, what it needs, and `tslib`, which rxjs brings: nothing else is installed, and no optional peer. */
export const checkInstall = ({ folder }) => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  const expected = ['promptwire', 'tslib', ...Object.keys(dependencies), ...peers];
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installed.toSorted(), expected.toSorted());
  assert.deepEqual(Object.keys(manifest.dependencies).toSorted(), [
    'eventsource-parser',
    'fp-ts',
    'io-ts',
    'rxjs-for-await',
    'undici',
    'ws',
  ]);
  const files = readdirSync(join(folder, 'node_modules', 'promptwire'), { recursive: true });
  // Sources are in the project of `promptwire init` alone.
  const sources = files.filter((name) => /\.ts$/.test(name) && !/\.d\.ts$|^template\b/.test(name));
  assert.deepEqual(sources, []);
  return `only ${installed.join(', ')} are installed`;
};
