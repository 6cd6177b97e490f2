import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { root } from './config.js';

/** Test files in one piece of code, each started on its own; built anew for each text of the module that is mutated. */
export interface TestBundle {
  readonly build: (moduleText: string) => Promise<string>;
  readonly dispose: () => Promise<void>;
}

/** Bundles test files around one module; the packages stay outside. */
export const bundleTests = async (module: string, tests: readonly string[]): Promise<TestBundle> => {
  let text = '';
  const context = await esbuild.context({
    ...settings,
    stdin: { contents: entryOf(tests), resolveDir: root, loader: 'ts' },
    plugins: [loading((path) => (path === module ? text : undefined))],
  });
  return {
    build: async (moduleText) => {
      text = moduleText;
      const { outputFiles } = await context.rebuild();
      return outputFiles[0]!.text;
    },
    dispose: () => context.dispose(),
  };
};

/** Which of the test files load each of the modules. */
export const testsByModule = async (
  tests: readonly string[],
): Promise<(module: string) => readonly string[]> => {
  const { metafile } = await esbuild.build({
    ...settings,
    entryPoints: [...tests],
    outdir: 'temp',
    metafile: true,
    plugins: [loading(() => undefined)],
  });
  const outputs = Object.values(metafile.outputs);
  return (module) =>
    tests.filter((test) => outputs.some(({ entryPoint, inputs }) => entryPoint === test && module in inputs));
};

const settings = {
  bundle: true,
  write: false,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  packages: 'external',
  logLevel: 'silent',
  absWorkingDir: root,
} as const satisfies esbuild.BuildOptions;

const entryOf = (tests: readonly string[]): string =>
  `export const files = {${tests.map((test) => `${JSON.stringify(test)}: () => import(${JSON.stringify(`./${test}`)})`).join(',')}};`;

/** A file of the bundle still knows where it stood. */
const loading = (textOf: (path: string) => string | undefined): esbuild.Plugin => ({
  name: 'mutation',
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const text = textOf(relative(root, path)) ?? (await readFile(path, 'utf8'));
      const contents = text
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: 'ts', resolveDir: dirname(join(path)) };
    }),
});
