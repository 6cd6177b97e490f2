import { defaultLimits, defaultTotals } from '../../src/server/gateway/options.js';
import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';

const textOf = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
const [guide, reference] = [textOf('guide/gateway.md'), textOf('cli.md')];

/** The cells of the rows of a table of the guide, by its first header. */
const tableOf = (header: string): readonly (readonly string[])[] => {
  const lines = guide.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^\\| ${header} +\\|`, 'u').test(line));
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

/** A number as the guide and the reference write it, such as `16 MiB`, `100 000` or `10,000`. */
const numberOf = (text: string): number => {
  const [, digits = '', unit = ''] = /^([\d ,]+?) ?(Mi|MiB)?$/u.exec(text.trim()) ?? [];
  return Number(digits.replaceAll(/[ ,]/gu, '')) * (unit === '' ? 1 : 2 ** 20);
};

/** The default of an option as the reference of the command has it. */
const defaultOf = (flag: string): string =>
  new RegExp(`^\\| \`${flag} [^|]*\\|[^|]*default ([^|]*?)\\.? *\\|`, 'mu').exec(reference)?.[1] ?? flag;

it.each([
  ['limit', defaultLimits],
  ['total', defaultTotals],
] as const)('T4 the table of the guide has each %s with its default and its flag', (header, defaults) => {
  const rows = tableOf(header).map(([name = '', amount = '', flag = '']) => ({
    ...{ name: name.replaceAll('`', ''), amount: numberOf(amount), flag: flag.replaceAll('`', '') },
  }));
  const own = rows.filter(({ name }) => !name.includes(' '));
  expect(Object.fromEntries(own.map(({ name, amount }) => [name, amount]))).toEqual(defaults);
  const flagged = rows.filter(({ flag }) => flag !== '');
  expect(flagged.length).toBeGreaterThan(4);
  expect(flagged.map(({ flag }) => [flag, numberOf(defaultOf(flag))])).toEqual(
    flagged.map(({ flag, amount }) => [flag, amount]),
  );
});
