import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, targets } from './config.js';
import { groups } from './groups.js';

describe('groups', () => {
  it('names modules and tests that are there', () => {
    const paths = groups.flatMap(({ modules, tests, except = [] }) => [...modules, ...tests, ...except]);

    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('gives each module to one group, which has tests', () => {
    const modules = targets([]).flatMap((target) => target.modules);

    expect(modules.filter((module, at) => modules.indexOf(module) < at)).toEqual([]);
    expect(targets([]).filter(({ tests }) => tests.length === 0)).toEqual([]);
  });
});
