import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './entries.mjs';

/** Its hooks and components are React's; in the page Preact runs them. */
const alias = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react/jsx-runtime': 'preact/jsx-runtime',
};

/** The name of a bundled package by the path of one of its files. */
const packageOf = (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

/**
 * Bundles the page of the studio: files whose names hold the hash of what is in them, and the document that names the first two.
 *
 * Resolves with the files by their path in dist, and esbuild's metafile. `used` gets the files of each bundled package, by its name.
 */
export const bundleStudio = async (used) => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: 'src/page/studio/main.tsx', out: 'studio' },
      { in: 'src/page/studio/styles/studio.css', out: 'studio' },
    ],
    outdir: 'studio',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    // The modules of rxjs that need no helpers of a compiler.
    conditions: ['module', 'es2015'],
    target: 'es2022',
    jsx: 'automatic',
    alias,
    legalComments: 'none',
    write: false,
    metafile: true,
  });
  for (const path of Object.keys(metafile.inputs)) {
    const name = packageOf(path);
    if (name !== undefined) used.set(name, [...(used.get(name) ?? []), path]);
  }
  const files = new Map(outputFiles.map(({ path, text }) => [path.slice(join(root, '/').length), text]));
  const named = (ending) =>
    [...files.keys()].find((name) => /^studio\/studio-/.test(name) && name.endsWith(ending));
  const page = readFileSync(join(root, 'src', 'page', 'studio', 'index.html'), 'utf8')
    .replace('studio.css', named('.css'))
    .replace('studio.js', named('.js'));
  return { files: files.set('studio/index.html', page), metafile };
};
