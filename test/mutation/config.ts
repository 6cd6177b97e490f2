import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { groups } from './groups.js';

/** The root of the repository. */
export const root = join(import.meta.dirname, '..', '..');

/** A module that is mutated, and the test files that may find its mutants, the nearest first. */
export interface Target {
  readonly module: string;
  readonly tests: readonly string[];
}

/** The targets whose path begins with one of `prefixes`; all of them without any. */
export const targets = (prefixes: readonly string[]): readonly Target[] =>
  groups.flatMap(({ modules, except = [], tests }) =>
    modules
      .flatMap((path) => filesIn(path, '.ts'))
      .filter((module) => !except.includes(module))
      .filter((module) => prefixes.length === 0 || prefixes.some((prefix) => module.startsWith(prefix)))
      .map((module) => {
        const own = module.replace(/^src/u, 'test').replace(/\.ts$/u, '.test.ts');
        const files = tests
          .flatMap((path) => filesIn(path, '.test.ts'))
          .filter((file) => !except.includes(file));
        return { module, tests: [...new Set([...(existsSync(join(root, own)) ? [own] : []), ...files])] };
      }),
  );

/** The files of a folder and of those in it, or the one file. */
const filesIn = (path: string, ending: string): readonly string[] =>
  statSync(join(root, path)).isDirectory()
    ? readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith(ending))
        .map((file) => join(path, file))
        .sort()
    : [path];
