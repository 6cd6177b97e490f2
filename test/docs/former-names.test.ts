import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/entries.mjs';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The names of a public API that are marked as deprecated, each once. */
const formerNames = [
  ...new Set(
    readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.api.md'))
      .flatMap((name) => [
        ...read(join('docs', name)).matchAll(
          /\/\/ (?:@public )?@deprecated\s+(?:export )?(?:readonly )?(?:(?:const|type|interface) )?(\w+?)(?:_2)?\b/gu,
        ),
      ])
      .map(([, name = '']) => name),
  ),
];

it('there are former names', () => {
  expect(formerNames).toEqual(expect.arrayContaining(['toSignal', 'readWorkflow', 'job', 'foreign']));
});

const [, table = ''] = read('docs/guide/migration.md').split('## From promptwire 0.1');

it.each(formerNames)('the guide says what is to be used for the former name %s', (name) => {
  const rows = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const [, , now] = rows.find(([, former = '']) => new RegExp(`\\b${name}\\b`, 'u').test(former)) ?? [];
  expect(now).toMatch(/^`\w.*; the former names? (?:is|are) deprecated$/u);
});
