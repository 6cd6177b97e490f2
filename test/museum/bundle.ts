import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { bundleProgram } from '../helpers/bundle-program.js';
import { applyPatch } from './apply-patch.js';
import type { Patch } from './patch.js';

const root = join(import.meta.dirname, '..', '..');

/** The program that plays figures, in one piece, made of the source as it is or with a bug in it. */
export const bundle = (patch?: Patch): Promise<string> =>
  bundleProgram(join(import.meta.dirname, 'program.ts'), {
    plugins: patch === undefined ? [] : [patching(patch)],
    holds: patch?.file,
  });

const patching = (patch: Patch): Plugin => ({
  name: 'patch',
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) =>
      relative(root, path) === patch.file
        ? { contents: applyPatch(await readFile(path, 'utf8'), patch), loader: 'ts' }
        : undefined,
    ),
});
