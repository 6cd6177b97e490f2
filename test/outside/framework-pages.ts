import { build, type Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..', '..');

/** A page of `docs/recipes/page` as an application of its framework has it: what puts it on, and what compiles its file. */
export interface FrameworkPage {
  readonly name: string;
  /** The program that puts the page on; `page` is the recipe. */
  readonly program: string;
  readonly file: string;
  readonly plugin?: (packages: string) => Plugin;
}

export const frameworkPages: readonly FrameworkPage[] = [
  {
    name: 'Vue',
    file: 'vue.vue',
    program: `import { createApp } from 'vue'; import Page from 'page'; createApp(Page).mount('main');`,
    plugin: (packages) =>
      compiling('.vue', async (source, filename) => {
        const { parse, compileScript } = await compiler<VueCompiler>(packages, 'vue/compiler-sfc/index.mjs');
        const { descriptor } = parse(source, { filename });
        return compileScript(descriptor, { id: filename, inlineTemplate: true }).content;
      }),
  },
  {
    name: 'Svelte',
    file: 'svelte.svelte',
    program: `import { mount } from 'svelte'; import Page from 'page'; mount(Page, { target: document.querySelector('main') });`,
    plugin: (packages) =>
      compiling('.svelte', async (source, filename) => {
        const { compile } = await compiler<SvelteCompiler>(packages, 'svelte/src/compiler/index.js');
        return compile(source, { filename, generate: 'client' }).js.code;
      }),
  },
  // Its decorators are compiled in the page.
  { name: 'Angular', file: 'angular.ts', program: `import '@angular/compiler'; import 'page';` },
];

interface VueCompiler {
  readonly parse: (source: string, options: object) => { readonly descriptor: object };
  readonly compileScript: (descriptor: object, options: object) => { readonly content: string };
}

interface SvelteCompiler {
  readonly compile: (source: string, options: object) => { readonly js: { readonly code: string } };
}

const compiler = async <A>(packages: string, path: string): Promise<A> =>
  (await import(pathToFileURL(join(packages, path)).href)) as A;

const compiling = (
  ending: string,
  compile: (source: string, filename: string) => Promise<string>,
): Plugin => ({
  name: 'framework',
  setup: (builder) => {
    // esbuild's filters are of Go, which has no flag `u`.
    builder.onLoad({ filter: new RegExp(`\\${ending}$`) }, async ({ path }) => ({
      contents: await compile(await readFile(path, 'utf8'), path),
      loader: 'ts',
    }));
  },
});

/** Builds the page of a framework, whose packages are in this folder, into one file. */
export const buildFrameworkPage = async (
  { program, file, plugin }: FrameworkPage,
  packages: string,
  outfile: string,
): Promise<void> => {
  await build({
    stdin: { contents: program, resolveDir: packages },
    ...{ bundle: true, outfile, format: 'esm', platform: 'browser', minify: true },
    conditions: ['svelte', 'browser', 'production'],
    define: { __VUE_OPTIONS_API__: 'false', __VUE_PROD_DEVTOOLS__: 'false' },
    // Recipes are TypeScript of an application, which says how its decorators are compiled.
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    // An application's own files have side effects; the recipes are in the package, whose files have none.
    ignoreAnnotations: true,
    nodePaths: [packages],
    alias: {
      page: join(root, 'docs', 'recipes', 'page', file),
      'promptwire/remote': join(root, 'src', 'remote.ts'),
      rxjs: join(root, 'node_modules', 'rxjs'),
    },
    plugins: plugin === undefined ? [] : [plugin(packages)],
    logLevel: 'error',
  });
};
