import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Consumer, consumer } from '../helpers/consumer.js';
import { describeWith, findInstalled } from '../helpers/describe-with.js';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'recipes', 'page');

interface Recipe {
  readonly file: string;
  /** The compiler of the framework, which reads its templates as well, and its arguments. */
  readonly compiler: readonly [program: string, ...flags: string[]];
  readonly options?: object;
  /** A mistake in a template, and what the compiler says of it. */
  readonly mistake: readonly [from: string, to: string, says: RegExp];
}

const inPlace = ['-p', 'tsconfig.json'];

const recipes: readonly Recipe[] = [
  {
    file: 'react.tsx',
    compiler: ['typescript/bin/tsc', ...inPlace],
    mistake: ['{state?.phase}', '{state?.phrase}', /'phrase' does not exist on type 'JobState'/u],
  },
  {
    file: 'vue.vue',
    compiler: ['vue-tsc/bin/vue-tsc.js', ...inPlace],
    mistake: ['{{ state?.phase }}', '{{ state?.phrase }}', /'phrase' does not exist on type 'JobState'/u],
  },
  {
    file: 'svelte.svelte',
    compiler: ['svelte-check/bin/svelte-check', '--output', 'human', '--tsconfig', 'tsconfig.json'],
    mistake: ['{$job?.phase}', '{$job?.phrase}', /'phrase' does not exist on type 'JobState'/u],
  },
  {
    file: 'angular.ts',
    compiler: ['@angular/compiler-cli/bundles/src/bin/ngc.js', ...inPlace],
    options: {
      compilerOptions: { experimentalDecorators: true },
      angularCompilerOptions: { strictTemplates: true },
    },
    mistake: ['?.phase }}', '?.phrase }}', /'phrase' does not exist on type 'JobState'/u],
  },
];

/** What an application has in its own settings, and where it would find the packages of its framework. */
const settingsOf = (packages: string, options: Recipe['options'], include: readonly string[]): object => {
  const at = (path: string): string[] => [join(packages, path)];
  const { compilerOptions, ...others } = { compilerOptions: {}, ...options };
  return {
    ...others,
    compilerOptions: {
      ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx', types: [] },
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
      ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, noEmit: true },
      paths: {
        // That of the application, for packages that lie elsewhere too.
        rxjs: ['../node_modules/rxjs'],
        react: at('@types/react'),
        'react/*': at('@types/react/*'),
        'react-dom/client': at('@types/react-dom/client'),
        vue: at('vue'),
        '@vueuse/rxjs': at('@vueuse/rxjs'),
        svelte: at('svelte'),
        'svelte/*': at('svelte/*'),
        '@angular/core/rxjs-interop': at('@angular/core/types/rxjs-interop.d.ts'),
        '@angular/*': at('@angular/*'),
      },
      ...compilerOptions,
    },
    include,
  };
};

/** What the compiler of its framework says of a page in a project, `right`, and of the same one with a mistake, `wrong`. */
const compiled = async (
  project: Consumer,
  packages: string,
  { file, compiler: [program, ...flags], options, mistake: [from, to] }: Recipe,
): Promise<string> => {
  const place = await mkdtemp(join(project.folder, 'page-'));
  const [text, ending] = [await readFile(join(folder, file), 'utf8'), extname(file)];
  expect(text.split(from)).toHaveLength(2);
  const files = { [`right${ending}`]: text, [`wrong${ending}`]: text.replace(from, to) };
  for (const [name, content] of Object.entries(files)) await writeFile(join(place, name), content);
  const settings = settingsOf(packages, options, Object.keys(files));
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify(settings));
  const run = promisify(execFile)(process.execPath, [join(packages, program), ...flags], { cwd: place });
  try {
    return (await run).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    return stdout + stderr;
  }
};

describeWith('Vue, Svelte, Angular and React', findInstalled('vue-tsc/package.json'), (manifest) => {
  const packages = dirname(dirname(manifest));
  let project: Consumer;
  beforeAll(async () => {
    project = await consumer({ types: true });
  }, 240_000);
  afterAll(() => project[Symbol.asyncDispose]());

  it.each(recipes.map((recipe) => [recipe.file, recipe] as const))(
    '%s compiles, templates included',
    async (_, recipe) => {
      const said = stripVTControlCharacters(await compiled(project, packages, recipe));
      expect(said).toMatch(recipe.mistake[2]);
      expect(said).not.toContain('right');
    },
  );
});
