import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

/** The package by its own name, which an entry imports for the client of the platform. */
const client = new URL('../../src/node.ts', import.meta.url).href;

/** A TypeScript file imports its neighbours by the names that they will have once compiled, and needs no build. */
export const resolve = (specifier, context, next) => {
  if (specifier === 'promptwire') return next(client, context);
  const isNeighbour = specifier.startsWith('.') && specifier.endsWith('.js');
  if (!isNeighbour || context.parentURL?.endsWith('.ts') !== true) return next(specifier, context);
  const source = specifier.replace(/\.js$/u, '.ts');
  return next(existsSync(new URL(source, context.parentURL)) ? source : specifier, context);
};

export const load = (url, context, next) => {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const sourcefile = fileURLToPath(url);
  const { code } = transformSync(readFileSync(sourcefile, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcefile,
  });
  return { format: 'module', source: code, shortCircuit: true };
};
