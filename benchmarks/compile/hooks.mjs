import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/** A TypeScript file imports its neighbours by the names that they will have once compiled. */
export const resolve = async (specifier, context, next) => {
  const isNeighbour = specifier.startsWith('.') && specifier.endsWith('.js');
  if (!isNeighbour || context.parentURL?.endsWith('.ts') !== true) return next(specifier, context);
  return next(specifier.replace(/\.js$/u, '.ts'), context).catch(() => next(specifier, context));
};

export const load = async (url, context, next) => {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const sourcefile = fileURLToPath(url);
  const { code } = await transform(await readFile(sourcefile, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcefile,
  });
  return { format: 'module', source: code, shortCircuit: true };
};
