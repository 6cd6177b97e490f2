import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile } from './helpers/compile.js';
import { declare } from './cli/helpers/declare.js';
import { fencesOf } from './helpers/fences.js';
import { startEmulator } from '../src/emulator.js';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'temp', 'examples');

interface Example {
  /** Where it stands, as `file:line`. */
  readonly place: string;
  readonly code: string;
}

const filesUnder = (path: string, extension: string): readonly string[] =>
  readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(root, path, name));

const examplesOf = (file: string, strip?: RegExp): readonly Example[] =>
  fencesOf(file, 'ts', strip).map(({ line, code }) => ({ place: `${relative(root, file)}:${line}`, code }));

/** Pages that `npm run generate` makes of recipes, which import each other and are compiled where they stand. */
const runtimes = join('docs', 'runtimes');

const examples: readonly Example[] = [
  // The API report is declarations, held true by a gate of its own.
  ...[
    join(root, 'README.md'),
    join(root, 'AGENTS.md'),
    ...filesUnder('docs', '.md').filter((file) => !file.endsWith('.api.md') && !file.includes(runtimes)),
  ].flatMap((file) => examplesOf(file)),
  ...filesUnder('src', '.ts').flatMap((file) => examplesOf(file, /^\s*\* ?/)),
];

// A page is compiled by its framework's own compiler, in test/outside/pages.test.ts.
const recipes = filesUnder(join('docs', 'recipes'), '.ts').filter((file) => !file.endsWith('angular.ts'));

/** Compiles all examples and recipes as one program, each a module of its own that imports the package by its name. */
const problemsByPlace = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'nodes.d.ts'), await nodesOfEmulator());
  const places = new Map(recipes.map((recipe) => [recipe, relative(root, recipe)]));
  examples.forEach(({ code, place }, index) => {
    const file = join(folder, `example-${index}.ts`);
    writeFileSync(file, `${code}\nexport {};\n`);
    places.set(file, place);
  });
  const problems = await compile(folder, [...places.keys()]);
  return new Map([...problems].map(([file, texts]) => [places.get(file) ?? 'elsewhere', texts]));
};

/** What the examples import as `./nodes.js`. */
const nodesOfEmulator = async (): Promise<string> => {
  await using emulator = await startEmulator();
  const url = `${emulator.baseUrl}/api/object_info`;
  const response = await fetch(url, { headers: { 'x-api-key': emulator.apiKey } });
  return (await declare(await response.text())).text;
};

describe('examples in README, docs and docstrings, and recipes', () => {
  let problems: ReadonlyMap<string, readonly string[]> = new Map();

  beforeAll(async () => {
    problems = await problemsByPlace();
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are there', () => {
    expect(examples.length).toBeGreaterThan(20);
  });

  it.each([...examples.map(({ place }) => place), ...recipes.map((file) => relative(root, file))])(
    '%s compiles',
    (place) => {
      expect(problems.get(place) ?? []).toEqual([]);
    },
  );
});
