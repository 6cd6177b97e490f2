import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entries, root } from '../../scripts/entries.mjs';
import ts from 'typescript';

it.each(entries)('the map of the entries has $specifier', ({ specifier }) => {
  expect(readFileSync(join(root, 'docs', 'guide', 'entries.md'), 'utf8')).toContain(`\`${specifier}\``);
});

const { options } = ts.parseJsonConfigFileContent(
  JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')),
  { ...ts.sys, readDirectory: () => [] },
  root,
);

it.each(entries)(
  'the compiler reads $specifier from its source, whether the package is built or not',
  ({ specifier, modules }) => {
    const { resolvedModule } = ts.resolveModuleName(specifier, join(root, 'docs', 'a.ts'), options, ts.sys);
    expect(modules.map((name) => join(root, 'src', `${name}.ts`))).toContain(
      resolvedModule?.resolvedFileName,
    );
  },
);
