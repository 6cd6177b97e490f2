import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBuiltin, SourceMap, type SourceMapPayload } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundle } from '../../scripts/bundle.mjs';
import { manifest, root } from '../../scripts/entries.mjs';

let built: Bundle;
beforeAll(async () => {
  built = await bundle();
});

const scripts = () => Object.entries(built.metafile.outputs).filter(([path]) => path.endsWith('.js'));
const fileOf = (path: string) => built.files.get(path.replace(/^dist\//u, ''));

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
      .map((path) => path.split('/')[0] ?? '');
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    expect(installed).toEqual(expect.arrayContaining(imported));
    expect([...new Set(imported)]).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
  });

  it('of a page import no module of Node.js', () => {
    const seen = new Set<string>();
    const visit = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const one of built.metafile.outputs[path]?.imports ?? []) visit(one.path);
    };
    visit('dist/browser.js');
    expect([...seen].filter((path) => isBuiltin(path) || path === 'ws' || path === 'undici')).toEqual([]);
  });
});

describe('a map of the package', () => {
  const maps = (): readonly (readonly [string, Required<SourceMapPayload>])[] =>
    [...built.files]
      .filter(([name]) => name.endsWith('.map'))
      .map(([name, text]) => [name, JSON.parse(text) as Required<SourceMapPayload>]);

  it('is there for each script of the library, and none of a tool names one', () => {
    for (const [path, { inputs }] of scripts()) {
      const ofLibrary = Object.keys(inputs).filter((name) => !/^src\/(emulator|cli)\/|^bundled:/u.test(name));
      const isOfLibrary = ofLibrary.length > 0 && ofLibrary.length === Object.keys(inputs).length;
      expect([path, fileOf(path)?.includes('//# sourceMappingURL=')]).toEqual([path, isOfLibrary]);
      expect([path, fileOf(`${path}.map`) !== undefined]).toEqual([path, isOfLibrary]);
    }
  });

  it('holds the sources line by line, without docstrings', () => {
    for (const [name, { sources, sourcesContent }] of maps()) {
      expect(sources.length).toBeGreaterThan(0);
      for (const [index, source] of sources.entries()) {
        const lines = readFileSync(join(root, 'dist', dirname(name), source), 'utf8').split('\n');
        const kept = (sourcesContent[index] ?? '').split('\n');
        expect(kept.length).toBe(lines.length);
        for (const [at, line] of kept.entries())
          if (line !== lines[at])
            expect(['', lines[at]]).toEqual([line, expect.stringMatching(/^\s*(\/\*\*|\*)/u)]);
      }
    }
  });

  it('leads from each declaration of a script to the line that has it', () => {
    let found = 0;
    for (const [name, payload] of maps()) {
      const map = new SourceMap(payload);
      const script = built.files.get(name.replace(/\.map$/u, '')) ?? '';
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
  it('are of the packages that the command and the emulator contain, which a program need not install', () => {
    expect([...built.used.keys()].toSorted()).toEqual(['commander', 'jpeg-js', 'pngjs']);
    expect(Object.keys(manifest.dependencies).toSorted()).toEqual([
      'io-ts',
      'rxjs-for-await',
      'undici',
      'ws',
    ]);
  });

  it('quote the licence of each, and the notices that single files of it have', () => {
    const notices = fileOf('THIRD-PARTY-NOTICES.txt') ?? '';
    for (const name of built.used.keys()) {
      const read = (file: string) => readFileSync(join(root, 'node_modules', name, file), 'utf8').trim();
      const { version } = JSON.parse(read('package.json')) as { readonly version: string };
      expect(notices).toContain(`${name} ${version}`);
      expect(notices).toContain(read('LICENSE'));
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
