import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as esbuild from 'esbuild';
import { applyPatch } from './apply-patch.js';
import type { Patch } from './patch.js';

const root = join(import.meta.dirname, '..', '..');

/** The program that plays figures, in one piece, made of the source as it is or with a bug in it. */
export const bundle = async (patch?: Patch): Promise<string> => {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [join(import.meta.dirname, 'program.ts')],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
    absWorkingDir: root,
    plugins: patch === undefined ? [] : [patching(patch)],
  });
  if (patch !== undefined && !(patch.file in metafile.inputs))
    throw new Error(`The patch ${patch.id} changes ${patch.file}, which no figure loads.`);
  return outputFiles[0]!.text;
};

const patching = (patch: Patch): esbuild.Plugin => ({
  name: 'patch',
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) =>
      relative(root, path) === patch.file
        ? { contents: applyPatch(await readFile(path, 'utf8'), patch), loader: 'ts' }
        : undefined,
    ),
});
