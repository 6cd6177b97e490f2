import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entries, manifest, modules, root } from '../../scripts/entries.mjs';

/** Every object of `exports` that names files, by its path in there. */
const targetsOf = (
  path: string,
  target: unknown,
): readonly (readonly [string, Readonly<Record<string, unknown>>])[] => {
  if (typeof target !== 'object' || target === null) return [];
  const deeper = Object.entries(target).flatMap(([name, inner]) => targetsOf(`${path} ${name}`, inner));
  return 'default' in target && typeof target.default === 'string'
    ? [[path, { ...target }], ...deeper]
    : deeper;
};

const targets = Object.entries(manifest.exports).flatMap(([name, target]) => targetsOf(name, target));

describe('an entry of the package', () => {
  it.each(targets)('%s has its declarations beside its script, and names them first', (_, target) => {
    expect(Object.keys(target)).toEqual(['types', 'default']);
    expect(target['types']).toBe(String(target['default']).replace(/\.js$/u, '.d.ts'));
  });

  it.each(modules)('%s is a module of src', (name) => {
    expect(existsSync(join(root, 'src', `${name}.ts`))).toBe(true);
  });

  it('has an API report in docs, and each report is of an entry', () => {
    const reports = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.api.md'));
    expect(reports.toSorted()).toEqual(entries.map(({ report }) => report).toSorted());
  });

  it('of the name of the package is chosen by the runtime, a page being the default', () => {
    expect(entries.find(({ specifier }) => specifier === 'promptwire')?.modules).toEqual([
      'bun',
      'node',
      'browser',
    ]);
  });
});
