// Bundles src into dist (or the folder given): one file an entry, and shared ones for what several of them need. A program
// then opens a handful of files where it would open hundreds. Names and lines stay, for stack traces and readers.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { modules, root } from './entries.mjs';

const outdir = process.argv[2] ?? join(root, 'dist');

rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: modules.map((name) => join(root, 'src', `${name}.ts`)),
  outdir,
  outbase: join(root, 'src'),
  bundle: true,
  splitting: true,
  chunkNames: 'shared/[hash]',
  packages: 'external',
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  sourcemap: true,
});
