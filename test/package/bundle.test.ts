import { readdirSync, readFileSync } from 'node:fs';
import { type Metafile, transformSync } from 'esbuild';
import { dirname, join, relative } from 'node:path';
import { isBuiltin, SourceMap, type SourceMapPayload } from 'node:module';
import { describe, expect, inject, it } from 'vitest';
import { manifest, root } from '../../scripts/entries.mjs';

const built = inject('builtPackage');
const { metafile, packages } = JSON.parse(readFileSync(join(built, 'bundle.json'), 'utf8')) as {
  readonly metafile: Metafile;
  readonly packages: readonly string[];
};
/** What the package consists of besides declarations, by the path in `dist`. */
const files: ReadonlyMap<string, string> = new Map(
  readdirSync(join(built, 'dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => [relative(join(built, 'dist'), path), readFileSync(path, 'utf8')]),
);

const scripts = () => Object.entries(metafile.outputs).filter(([path]) => path.endsWith('.js'));
/** The scripts that are loaded with these modules. */
const ofEntry = (...names: readonly string[]): ReadonlySet<string> => {
  const found = new Set(names.map((name) => `dist/${name}.js`));
  for (const path of found) for (const one of metafile.outputs[path]?.imports ?? []) found.add(one.path);
  return found;
};

/** What a module does once it is compiled: its code without space, comments and imports. */
const codeOf = (text: string): string =>
  transformSync(text, { loader: 'ts', minifyWhitespace: true }).code.replace(
    /^(?:import\b[^;"]*"[^"]*";)+/u,
    '',
  );

const fileOf = (path: string) => files.get(path.replace(/^dist\//u, ''));

describe('the scripts of the package', () => {
  it('have each module once, so that its state exists once, whichever entries a program imports', () => {
    const modules = scripts().flatMap(([, { inputs }]) => Object.keys(inputs));
    expect(modules.length).toBeGreaterThan(100);
    expect(modules.toSorted()).toEqual([...new Set(modules)].toSorted());
  });

  it('import only what is installed with the package, and modules of Node.js', () => {
    const imported = scripts()
      .flatMap(([, { imports }]) =>
        imports.flatMap(({ path, external }) => (external === true ? [path] : [])),
      )
      .filter((path) => !isBuiltin(path))
      .map((path) => /^(?:@[^/]+\/)?[^/]+/u.exec(path)?.[0] ?? '');
    const { name, dependencies, peerDependencies } = manifest;
    const installed = [name, ...Object.keys({ ...dependencies, ...peerDependencies })];
    expect(installed).toEqual(expect.arrayContaining(imported));
    expect([...new Set(imported)]).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
  });

  it('of a page import no module of Node.js', () => {
    expect(
      [...ofEntry('browser')].filter((path) => isBuiltin(path) || path === 'ws' || path === 'undici'),
    ).toEqual([]);
  });
});

describe('a map of the package', () => {
  const maps = (): readonly (readonly [string, Required<SourceMapPayload>])[] =>
    [...files]
      .filter(([name]) => name.endsWith('.map'))
      .map(([name, text]) => [name, JSON.parse(text) as Required<SourceMapPayload>]);

  it('is there for each script of our code that is loaded by the name of the package', () => {
    // A bundled package is minified: its source is published elsewhere.
    const isOurs = (inputs: readonly string[]): boolean =>
      inputs.length > 0 && !inputs.some((path) => path.startsWith('node_modules/'));
    const mapped = scripts().filter(
      ([path, { inputs }]) => ofEntry('node', 'bun', 'browser').has(path) && isOurs(Object.keys(inputs)),
    );
    expect(maps().map(([name]) => name)).toEqual(
      expect.arrayContaining(mapped.map(([path]) => `${path.replace('dist/', '')}.map`)),
    );
    expect(maps()).toHaveLength(mapped.length);
    for (const [path] of mapped) expect(fileOf(path)).toMatch(/^\/\/# sourceMappingURL=\w+\.js\.map\n$/mu);
  });

  it('holds the statements of its sources that run, each line where it is, and nothing else', () => {
    for (const [name, { sources, sourcesContent }] of maps()) {
      for (const [index, source] of sources.entries()) {
        const text = readFileSync(join(root, 'dist', dirname(name), source), 'utf8');
        const lines = text.split('\n');
        const kept = (sourcesContent[index] ?? '').split('\n');
        expect(kept).toHaveLength(lines.length);
        expect(lines).toEqual(kept.map((line, at) => (line === '' ? lines[at] : line)));
        expect(
          kept.filter((line) => /^(?:import |interface |type |export interface |\/\*\*)/u.test(line)),
        ).toEqual([]);
        expect(codeOf(kept.join('\n'))).toBe(codeOf(text));
      }
    }
  });

  it('leads from each declaration of a script to the line that has it', () => {
    let found = 0;
    for (const [name, payload] of maps()) {
      const map = new SourceMap(payload);
      const script = files.get(name.replace(/\.map$/u, '')) ?? '';
      for (const [at, line] of script.split('\n').entries()) {
        const [, declared] = /^(?:var|function\*?|async function\*?) ([A-Za-z]+)/u.exec(line) ?? [];
        if (declared === undefined || line.endsWith('_exports = {};')) continue;
        const entry = map.findEntry(at, 0);
        expect(entry).toHaveProperty('originalSource');
        if (!('originalSource' in entry)) continue;
        const lines = String(payload.sourcesContent[payload.sources.indexOf(entry.originalSource)]).split(
          '\n',
        );
        expect(lines[entry.originalLine]).toContain(declared);
        found += 1;
      }
    }
    expect(found).toBeGreaterThan(300);
  });
});

describe('the third-party notices', () => {
  it('are of the packages that its scripts contain, which a program need not install', () => {
    expect(packages.toSorted()).toEqual([
      ...['@dagrejs/dagre', '@tanstack/react-virtual', '@tanstack/virtual-core', 'abstract-level'],
      ...['base64-js', 'buffer', 'commander', 'events', 'fflate', 'functional-red-black-tree', 'hash-wasm'],
      ...['hono', 'ieee754', 'jpeg-js', 'level-supports', 'level-transcoder', 'maybe-combine-errors'],
      ...['memory-level', 'module-error', 'pngjs', 'preact', 'rxjs', 'tslib'],
    ]);
    expect(Object.keys(manifest.dependencies).toSorted()).toEqual([
      'eventsource-parser',
      'fp-ts',
      'io-ts',
      'rxjs-for-await',
      'undici',
      'ws',
    ]);
  });

  it('quote the licence of each, and the notices that single files of it have', () => {
    const notices = fileOf('THIRD-PARTY-NOTICES.txt') ?? '';
    for (const name of packages) {
      const read = (file: string) => readFileSync(join(root, 'node_modules', name, file), 'utf8').trim();
      const { version } = JSON.parse(read('package.json')) as { readonly version: string };
      expect(notices).toContain(`${name} ${version}`);
      const licence = readdirSync(join(root, 'node_modules', name)).find((file) =>
        /^licen[cs]e\b/iu.test(file),
      );
      expect(notices).toContain(read(licence ?? ''));
    }
    for (const holder of [
      'notmasteryet',
      'Adobe Systems Incorporated',
      'Eugene Ware',
      'Luke Page',
      'TJ Holowaychuk',
    ])
      expect(notices).toContain(holder);
    expect(notices).toContain('TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION');
  });
});
