import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'temp', 'examples');

interface Example {
  /** Where it stands, as `file:line`. */
  readonly place: string;
  readonly code: string;
}

const fencesOf = (file: string, strip: RegExp): readonly Example[] => {
  const lines = readFileSync(file, 'utf8').split('\n');
  const examples: Example[] = [];
  let open: { line: number; code: string[] } | undefined;
  lines.forEach((raw, index) => {
    const line = raw.replace(strip, '');
    if (open === undefined) {
      if (line.trim() === '```ts') open = { line: index + 1, code: [] };
    } else if (line.trim() === '```') {
      examples.push({ place: `${relative(root, file)}:${open.line}`, code: open.code.join('\n') });
      open = undefined;
    } else {
      open.code.push(line);
    }
  });
  return examples;
};

const filesUnder = (path: string, extension: string): readonly string[] =>
  readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(root, path, name));

const examples: readonly Example[] = [
  // The API report is declarations, held true by a gate of its own.
  ...[
    join(root, 'README.md'),
    ...filesUnder('docs', '.md').filter((file) => !file.endsWith('.api.md')),
  ].flatMap((file) => fencesOf(file, /^$/)),
  ...filesUnder('src', '.ts').flatMap((file) => fencesOf(file, /^\s*\* ?/)),
];

/** Compiles all examples as one program, each a module of its own that imports the package by its name. */
const problemsByPlace = (): ReadonlyMap<string, readonly string[]> => {
  mkdirSync(folder, { recursive: true });
  const places = new Map<string, string>();
  examples.forEach(({ code, place }, index) => {
    const file = join(folder, `example-${index}.ts`);
    writeFileSync(file, `${code}\nexport {};\n`);
    places.set(file, place);
  });
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: Record<string, unknown> };
  };
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...config.compilerOptions,
      noUnusedLocals: false,
      noUnusedParameters: false,
      // The strictest settings that a reader's project may have.
      exactOptionalPropertyTypes: true,
    },
    root,
  );
  const program = ts.createProgram([...places.keys()], options);
  const problems = new Map<string, string[]>();
  for (const diagnostic of ts.getPreEmitDiagnostics(program)) {
    const place = places.get(diagnostic.file?.fileName ?? '') ?? 'elsewhere';
    const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
    problems.set(place, [...(problems.get(place) ?? []), text]);
  }
  return problems;
};

describe('examples in README, docs and docstrings', () => {
  let problems: ReadonlyMap<string, readonly string[]> = new Map();

  beforeAll(() => {
    problems = problemsByPlace();
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are there', () => {
    expect(examples.length).toBeGreaterThan(20);
  });

  it.each(examples.map(({ place }) => place))('%s compiles', (place) => {
    expect(problems.get(place) ?? []).toEqual([]);
  });
});
