import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const root = join(import.meta.dirname, '..', '..');

/** Options of {@link bundleProgram}. */
export interface BundleOptions {
  /** Changes files while they are read. */
  readonly plugins?: readonly esbuild.Plugin[];
  /** A file that has to be among those of the program. */
  readonly holds?: string | undefined;
  /** Whether the packages become part of the text, too, for a program that is started hundreds of times; default false. */
  readonly withPackages?: boolean;
}

/**
 * Makes one text of a TypeScript program and all its files, to be run by `node --input-type=module -` in the root: it starts in
 * a third of the time that it takes to compile each file, and nothing keeps the names of its functions, which is dear.
 */
export const bundleProgram = async (
  program: string,
  { plugins = [], holds, withPackages = false }: BundleOptions = {},
): Promise<string> => {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [program],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: withPackages ? 'bundle' : 'external',
    ...(withPackages && { banner: { js: packagesPlace } }),
    logLevel: 'silent',
    absWorkingDir: root,
    define: { 'import.meta.url': 'ownUrl', 'import.meta.dirname': 'ownFolder' },
    plugins: [...plugins, keepingPlaces],
  });
  if (holds !== undefined && !(holds in metafile.inputs))
    throw new Error(`${holds} is no file of ${program}.`);
  return outputFiles[0]!.text;
};

const bundled = new Map<string, Promise<string>>();

/**
 * The path of a file that holds a program in one piece, for tests that start it: it starts in a fifth of the time that its
 * sources take. It is made once in each process.
 */
export const bundledFile = (program: string, options: BundleOptions = {}): Promise<string> => {
  const file = bundled.get(program) ?? writeBundle(program, options);
  bundled.set(program, file);
  return file;
};

const writeBundle = async (program: string, options: BundleOptions): Promise<string> => {
  const folder = join(root, 'temp', 'programs');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${relative(root, program).replaceAll(/\W/gu, '-')}.mjs`);
  // Another process may be starting the file that is there.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, await bundleProgram(program, options));
  await rename(draft, file);
  return file;
};

/** What packages need that were written for `require`, and those that ask for their own place. */
const packagesPlace = `
import { createRequire as requireAt } from 'node:module';
const require = requireAt(import.meta.url);
Object.assign(globalThis, { ownUrl: import.meta.url, ownFolder: import.meta.dirname });
`;

/** Each file knows its own place, as it did before it became part of another one. */
const keepingPlaces: esbuild.Plugin = {
  name: 'places',
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta.')) return undefined;
      const own = [pathToFileURL(path).href, dirname(path)].map((place) => JSON.stringify(place));
      return { contents: `const ownUrl = ${own[0]}, ownFolder = ${own[1]};\n${source}`, loader: 'ts' };
    }),
};
