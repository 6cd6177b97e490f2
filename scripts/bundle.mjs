import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, transform } from 'esbuild';
import { bundledPackages, thirdPartyNotices } from './bundled-packages.mjs';
import { entries, modules, root } from './entries.mjs';
import { leanMap, withoutComments } from './source-maps.mjs';
import { bundleStudio } from './studio.mjs';

/** What runs beside a program, or under its tests. */
const isTool = (path) =>
  /^src\/(?:emulator[./]|(?:testing\/)?conformance[./]|cli\/)/.test(path) ||
  /^(?:bundled:|node_modules\/)/.test(path);

/** The scripts that a program loads by the name of the package. */
const scriptsOfClient = (outputs) => {
  const found = new Set(entries[0].modules.map((name) => `dist/${name}.js`));
  for (const path of found) for (const other of outputs[path]?.imports ?? []) found.add(other.path);
  return found;
};

/**
 * Bundles src: one script an entry, and shared ones for what several of them need, so that each module exists once and a
 * program opens a handful of files; and the page of the studio, which shares nothing with them. The scripts of the client have maps; those of the command and the emulator are minified;
 * all others are without needless space, and keep their names.
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
    plugins: [bundledPackages(used), withoutComments],
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [path.slice(join(root, 'dist/').length), text]));
  const ofClient = scriptsOfClient(metafile.outputs);
  const studio = await bundleStudio(used);
  const files = new Map([['THIRD-PARTY-NOTICES.txt', thirdPartyNotices(used)], ...studio.files]);
  for (const [name, text] of texts) {
    if (name.endsWith('.map')) continue;
    const sources = Object.keys(metafile.outputs[`dist/${name}`].inputs);
    if (sources.some(isTool)) {
      files.set(name, (await transform(text, { minify: true, format: 'esm' })).code);
    } else if (ofClient.has(`dist/${name}`) && sources.length > 0) {
      files.set(name, `${text}//# sourceMappingURL=${name.split('/').at(-1)}.map\n`);
      files.set(`${name}.map`, leanMap(texts.get(`${name}.map`)));
    } else {
      const { code } = await transform(text, { minifyWhitespace: true, minifySyntax: true, format: 'esm' });
      files.set(name, code);
    }
  }
  return { files, metafile, used };
};

/** Writes these files, and nothing else, into a folder. */
export const write = (files, dist) => {
  rmSync(dist, { recursive: true, force: true });
  for (const [name, text] of files) {
    const path = join(dist, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
};
