import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { root } from './config.js';

/**
 * Bundles test files, each started on its own, around modules whose code is given as the bundle runs: it calls
 * `mutated(module, itsModule, imports)` for each. So a mutant costs the translation of one module. The packages stay outside.
 */
export const bundleTests = async (modules: readonly string[], tests: readonly string[]): Promise<string> => {
  const codes = new Map<string, string>();
  for (const module of modules) {
    const text = await readFile(join(root, module), 'utf8');
    codes.set(module, givenLater(module, await codeOf(module, text)));
  }
  const { outputFiles } = await esbuild.build({
    bundle: true,
    write: false,
    platform: 'node',
    ...language,
    packages: 'external',
    logLevel: 'silent',
    absWorkingDir: root,
    stdin: { contents: entryOf(tests), resolveDir: root, loader: 'ts' },
    plugins: [loading((path) => codes.get(path))],
  });
  return outputFiles[0]!.text;
};

/** The code of a module for the bundle: a function body of `module`, `exports`, `require` and `hit`. */
export const codeOf = async (module: string, text: string): Promise<string> => {
  const { code } = await esbuild.transform(placed(text, join(root, module)), {
    loader: 'ts',
    ...language,
    supported: { 'dynamic-import': false },
  });
  return code;
};

const language = { format: 'cjs', target: 'node20' } as const;

const entryOf = (tests: readonly string[]): string =>
  `export { closeAll } from './test/helpers/after-file.js';
export const files = {${tests.map((test) => `${JSON.stringify(test)}: () => import(${JSON.stringify(`./${test}`)})`).join(',')}};`;

const givenLater = (module: string, code: string): string => {
  const names = new Set([...code.matchAll(/\brequire\("([^"]+)"\)/gu)].map(([, name = '']) => name));
  const folder = dirname(join(root, module));
  const imports = [...names].map((name) => {
    const path = name.startsWith('.') ? sourceOf(folder, name) : name;
    return `${JSON.stringify(name)}: () => require(${JSON.stringify(path)})`;
  });
  return `mutated(${JSON.stringify(module)}, module, { ${imports.join(', ')} });`;
};

/** A file of the bundle still knows where it stood. */
const placed = (text: string, path: string): string =>
  text
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.filename', JSON.stringify(path))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));

/** Modules whose code is given later have a namespace of their own: there `module` is that of CommonJS. */
const loading = (codeOfModule: (path: string) => string | undefined): esbuild.Plugin => ({
  name: 'mutation',
  setup: (build) => {
    build.onResolve({ filter: /^[./].*\.[jt]s$/ }, ({ path, resolveDir }) => {
      const found = sourceOf(isAbsolute(path) ? '' : resolveDir, path);
      return codeOfModule(relative(root, found)) === undefined
        ? undefined
        : { path: found, namespace: 'mutated' };
    });
    build.onLoad({ filter: /\.ts$/, namespace: 'mutated' }, ({ path }) => ({
      contents: codeOfModule(relative(root, path)),
      loader: 'js',
      resolveDir: dirname(path),
    }));
    build.onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) =>
      path.includes('node_modules')
        ? undefined
        : {
            contents: placed(await readFile(path, 'utf8'), path),
            loader: 'ts',
            resolveDir: dirname(path),
          },
    );
  },
});

const sourceOf = (folder: string, path: string): string => join(folder, path).replace(/\.js$/u, '.ts');
