// Writes the scripts of the package into dist, or into the folder given.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle } from './bundle.mjs';
import { root } from './entries.mjs';

const dist = process.argv[2] ?? join(root, 'dist');
const { files } = await bundle();

rmSync(dist, { recursive: true, force: true });
for (const [name, text] of files) {
  const path = join(dist, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
}
