import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { manifest } from '../../scripts/entries.mjs';

/** The package, what it declares, and `tslib`, which rxjs brings: nothing else is installed. */
export const checkInstall = ({ folder }) => {
  const expected = [
    'promptwire',
    'tslib',
    ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
  ];
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installed.toSorted(), expected.toSorted());
  assert.deepEqual(Object.keys(manifest.dependencies).toSorted(), [
    'eventsource-parser',
    'io-ts',
    'rxjs-for-await',
    'undici',
    'ws',
  ]);
  const files = readdirSync(join(folder, 'node_modules', 'promptwire'), { recursive: true });
  assert.equal(files.filter((name) => /\.ts$/.test(name) && !/\.d\.ts$/.test(name)).length, 0);
  return `only ${installed.join(', ')} are installed`;
};
