import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import type { SourceFile } from './plant.js';

const root = join(import.meta.dirname, '..', '..');

/** Has esbuild read these files as they are here. */
export const mutatedFiles = (files: readonly SourceFile[]): Plugin => ({
  name: 'mutants',
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path }) => {
      const mutated = files.find(({ file }) => file === relative(root, path));
      return mutated && { contents: mutated.text, loader: 'ts' };
    }),
});
