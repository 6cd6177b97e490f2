import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { manifest, root } from './entries.mjs';

/** What a program has installed, the package itself too, so that it stays an import. */
const installed = new Set([
  manifest.name,
  ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
]);

const nameOf = (path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)[0];

/** Gives CommonJS modules the modules of Node.js, which a script of an ES module has no `require` for. */
const requiredBuiltins = {
  name: 'required-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[\w:/]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};

/** Gives CommonJS modules the packages of the same names in place of modules of Node.js, so that they run wherever the gateway runs. */
const packagesForBuiltins = {
  name: 'packages-for-builtins',
  setup: ({ onResolve }) => {
    const { resolve } = createRequire(join(root, 'package.json'));
    onResolve({ filter: /^[\w:/]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path: resolve(`${path}/`) } : undefined,
    );
  },
};

const asModule = (name) => ({
  stdin: { contents: `export * from '${name}';`, resolveDir: root },
  format: 'esm',
  mainFields: ['module'],
  conditions: ['import'],
});

const asCommonJs = (name) => ({
  stdin: { contents: `module.exports = require('${name}');`, resolveDir: root },
  format: 'cjs',
  mainFields: ['main'],
  conditions: ['node', 'require'],
});

/** Packages of which the ES modules are bundled: what no program uses is left out. */
const modular = new Set(['hono']);

/** CommonJS packages of the gateway, which also runs where there are no modules of Node.js. */
const portable = new Set(['memory-level']);

/** Bundles a package with everything that it needs, minified: its own source is published elsewhere. */
const bundlePackage = async (name) => {
  const { outputFiles, metafile } = await build({
    ...(modular.has(nameOf(name)) ? asModule(name) : asCommonJs(name)),
    bundle: true,
    minify: true,
    legalComments: 'none',
    write: false,
    metafile: true,
    absWorkingDir: root,
    platform: 'neutral',
    target: 'es2022',
    plugins: [portable.has(nameOf(name)) ? packagesForBuiltins : requiredBuiltins],
  });
  return {
    code: outputFiles[0].text,
    files: Object.keys(metafile.inputs).filter((path) => /node_modules/.test(path)),
  };
};

/** The ES module of a package without side effects, so that only what src uses is bundled; undefined for any other package. */
const moduleOf = (name) => {
  const folder = `node_modules/${name}`;
  if (!existsSync(join(root, folder, 'package.json'))) return undefined;
  const { module, sideEffects } = JSON.parse(textOf(`${folder}/package.json`));
  return module !== undefined && sideEffects === false ? join(folder, module) : undefined;
};

/**
 * Leaves the declared dependencies and the modules of Node.js as imports, and bundles every other package that src imports.
 * `used` gets the files of each bundled package, by its name.
 */
export const bundledPackages = (used) => ({
  name: 'bundled-packages',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[^.]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      if (isBuiltin(path) || installed.has(nameOf(path))) return { path, external: true };
      const file = moduleOf(path);
      if (file === undefined) return { path, namespace: 'bundled' };
      used.set(path, [file]);
      return { path: join(root, file), sideEffects: false };
    });
    onLoad({ filter: /.*/, namespace: 'bundled' }, async ({ path }) => {
      const { code, files } = await bundlePackage(path);
      for (const file of files) {
        const name = nameOf(file.split('node_modules/').at(-1));
        used.set(name, [...(used.get(name) ?? []), file]);
      }
      return { contents: code };
    });
  },
});

const textOf = (path) => readFileSync(join(root, path), 'utf8').trim();

const licenceIn = (folder) => readdirSync(join(root, folder)).find((name) => /^licen[cs]e\b/i.test(name));

/** The licence of a package, and what single files of it say of their own. */
const noticeOf = ([name, files]) => {
  const folder = `${files[0].split(`node_modules/${name}/`)[0]}node_modules/${name}`;
  const { version, license } = JSON.parse(textOf(`${folder}/package.json`));
  const ofFiles = files.flatMap((file) =>
    (textOf(file).match(/\/\*[^]*?\*\//g) ?? []).filter((comment) => /copyright/i.test(comment)),
  );
  return [`${name} ${version} (${license})`, textOf(join(folder, licenceIn(folder))), ...ofFiles].join(
    '\n\n',
  );
};

const rule = `\n\n${'-'.repeat(80)}\n\n`;

/** The notices that the licences of the bundled packages ask for. */
export const thirdPartyNotices = (used) => {
  const notices = [...used].toSorted().map(noticeOf);
  const apache = notices.some((notice) => notice.includes('Apache License'))
    ? [textOf('node_modules/typescript/LICENSE.txt')]
    : [];
  const head =
    'The command, the emulator, the gateway and the upload of promptwire contain the packages below. Each stands under its own licence.';
  return [head, ...notices, ...apache].join(rule) + '\n';
};
