import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entries, root } from '../../scripts/entries.mjs';

it.each(entries)('the map of the entries has $specifier', ({ specifier }) => {
  expect(readFileSync(join(root, 'docs', 'guide', 'entries.md'), 'utf8')).toContain(`\`${specifier}\``);
});
