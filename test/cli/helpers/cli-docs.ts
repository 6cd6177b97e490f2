import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');

/** The rows of the first table under a heading of docs/cli.md, cells without backticks around them. */
export const tableUnder = (heading: string): readonly (readonly string[])[] => {
  const lines = text.split('\n');
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`docs/cli.md has no ${heading}`);
  const section = lines.slice(start + 1);
  const end = section.findIndex((line) => /^#{2,3} /u.test(line));
  const rows = section.slice(0, end < 0 ? undefined : end);
  const first = rows.findIndex((line) => line.startsWith('|'));
  const last = rows.findIndex((line, at) => at > first && !line.startsWith('|'));
  return rows
    .slice(Math.max(0, first), last < 0 ? undefined : last)
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
};

/** The headings of the commands, as `### promptwire NAME …`. */
export const commandHeadings = (): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith('### `promptwire '));

/** What the first cell's backticks hold. */
export const codeOf = (cell = ''): string => /^`(.*)`$/u.exec(cell)?.[1] ?? cell;
