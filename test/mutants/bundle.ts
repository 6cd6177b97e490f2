import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { bundleProgram } from '../helpers/bundle-program.js';
import type { Mutant } from './mutant.js';
import { plant, type SourceFile } from './plant.js';

const root = join(import.meta.dirname, '..', '..');

/** The program that plays figures, in one piece, made of the source as it is or with a mutant in it. */
export const bundle = (mutant?: Mutant): Promise<string> => {
  const mutated = mutant && plant(mutant);
  return bundleProgram(join(import.meta.dirname, 'program.ts'), {
    plugins: mutated === undefined ? [] : [loading(mutated)],
    holds: mutated?.file,
  });
};

const loading = ({ file, text }: SourceFile): Plugin => ({
  name: 'mutant',
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path }) =>
      relative(root, path) === file ? { contents: text, loader: 'ts' } : undefined,
    ),
});
