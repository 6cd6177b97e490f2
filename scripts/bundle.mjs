import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { bundledPackages, thirdPartyNotices } from './bundled-packages.mjs';
import { modules, root } from './entries.mjs';
import { leanMap, withoutDocstrings } from './source-maps.mjs';

/** What runs beside a program, or under its tests: its scripts are published minified, without maps. */
const isTool = (path) => /^src\/(?:emulator|cli)\//.test(path) || path.startsWith('bundled:');

/**
 * Bundles src: one script an entry, and shared ones for what several of them need, so that each module exists once and a
 * program opens a handful of files. The library's names and lines stay, for stack traces and readers.
 *
 * Resolves with the files by their path in dist, esbuild's metafile, and the files of the bundled packages.
 */
export const bundle = async () => {
  const used = new Map();
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: modules.map((name) => `src/${name}.ts`),
    outdir: 'dist',
    outbase: 'src',
    bundle: true,
    splitting: true,
    chunkNames: 'shared/[hash]',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    sourcemap: 'external',
    write: false,
    metafile: true,
    plugins: [bundledPackages(used), withoutDocstrings],
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [path.slice(join(root, 'dist/').length), text]));
  const files = new Map([['THIRD-PARTY-NOTICES.txt', thirdPartyNotices(used)]]);
  for (const [path, { inputs }] of Object.entries(metafile.outputs)) {
    const name = path.replace(/^dist\//, '');
    if (name.endsWith('.map')) continue;
    const script = texts.get(name);
    const sources = Object.keys(inputs);
    if (sources.some(isTool))
      files.set(name, (await transform(script, { minify: true, format: 'esm' })).code);
    else if (sources.length === 0) files.set(name, script);
    else {
      files.set(name, `${script}//# sourceMappingURL=${name.split('/').at(-1)}.map\n`);
      files.set(`${name}.map`, leanMap(texts.get(`${name}.map`)));
    }
  }
  return { files, metafile, used };
};
