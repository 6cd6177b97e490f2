import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installedPackages } from '../../benchmarks/compare/packages.js';
import { readRecords } from '../scoreboard/records.js';
import { headlineOf, pageOf } from '../scoreboard/report.js';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8');

it('the page of the scoreboard is what its records say', async () => {
  expect(read('docs/scoreboard.md')).toBe(await pageOf(readRecords()));
});

it('the README carries the headline of the records', () => {
  expect(read('README.md').split('\n')).toContain(`> ${headlineOf(readRecords())}`);
});

it('the README names as open just the figures whose published record misses its target', () => {
  const open = /^\*\*Open:\*\* .*? miss.*?<!-- (.*?) -->/mu.exec(read('README.md'))?.[1] ?? '';
  const missed = readRecords().figures.filter(({ problems }) => problems.length > 0);
  expect([...open.matchAll(/`([a-z-]+)`/gu)].map(([, id]) => id).toSorted()).toEqual(
    missed.map(({ id }) => id).toSorted(),
  );
});

it('the README has ids of figures in no text that a reader sees', () => {
  const shown = read('README.md').replaceAll(/<!--[^]*?-->/gu, '');
  expect(readRecords().figures.filter(({ id }) => shown.includes(`\`${id}\``))).toEqual([]);
});

it('the README has at most 200 lines', () => {
  expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(200);
});

it('the README counts the packages that an installation brings', () => {
  const [, count] = /^\| packages that come along +\| (\d+) /mu.exec(read('README.md')) ?? [];
  expect(Number(count)).toBe(installedPackages('promptwire'));
});

it.each(['npm ci && npm run demo', 'npm ci && npm test'])('the README has the line `%s`', (line) => {
  expect(read('README.md')).toContain(`\`${line}\``);
});
