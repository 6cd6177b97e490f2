import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const headlineOf = (file: string): string | undefined =>
  readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8')
    .split('\n')
    .find((line) => line.startsWith('> '));

it('the README carries the headline that the scoreboard has written', () => {
  expect(headlineOf('docs/scoreboard.md')).toMatch(/schedules/);
  expect(headlineOf('README.md')).toBe(headlineOf('docs/scoreboard.md'));
});
