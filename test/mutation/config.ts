import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { groups } from './groups.js';

/** The root of the repository. */
export const root = join(import.meta.dirname, '..', '..');

/** Modules that are mutated, and the test files that may find their mutants. */
export interface Target {
  readonly modules: readonly string[];
  readonly tests: readonly string[];
}

/** Of each group the modules whose path begins with one of `prefixes`; all of them without any. */
export const targets = (prefixes: readonly string[]): readonly Target[] =>
  groups
    .map(({ modules, except = [], tests }) => ({
      modules: modules
        .flatMap((path) => filesIn(path, '.ts'))
        .filter((module) => !except.includes(module))
        .filter((module) => prefixes.length === 0 || prefixes.some((prefix) => module.startsWith(prefix))),
      tests: tests.flatMap((path) => filesIn(path, '.test.ts')).filter((file) => !except.includes(file)),
    }))
    .filter(({ modules }) => modules.length > 0);

/** The test file that mirrors a module: tests have no folders of layers. */
export const mirrorOf = (module: string): string =>
  module.replace(/^src\/(?:(?:core|client|server|page)\/)?/u, 'test/').replace(/\.ts$/u, '.test.ts');

/** The files of a folder and of those in it, or the one file. */
const filesIn = (path: string, ending: string): readonly string[] =>
  statSync(join(root, path)).isDirectory()
    ? readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith(ending))
        .map((file) => join(path, file))
        .sort()
    : [path];
