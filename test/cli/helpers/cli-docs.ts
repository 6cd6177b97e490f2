import { readFileSync } from 'node:fs';

/** The pages of the command, by what they are about. */
const pages = { reference: 'cli.md', output: 'cli-output.md', guide: 'guide/command.md' };

const textOf = (page: keyof typeof pages): string =>
  readFileSync(new URL(`../../../docs/${pages[page]}`, import.meta.url), 'utf8');

/** The lines below a heading of a page, up to the next one. */
export const linesUnder = (heading: string, page: keyof typeof pages = 'reference'): readonly string[] => {
  const lines = textOf(page).split('\n');
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`${pages[page]} has no ${heading}`);
  const section = lines.slice(start + 1);
  const end = section.findIndex((line) => /^#{2,3} /u.test(line));
  return section.slice(0, end < 0 ? undefined : end);
};

/** The rows of the first table under a heading of a page of the command, cells without blanks around them. */
export const tableUnder = (
  heading: string,
  page: keyof typeof pages = 'reference',
): readonly (readonly string[])[] => {
  const rows = linesUnder(heading, page);
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
  textOf('reference')
    .split('\n')
    .filter((line) => line.startsWith('### `promptwire '));

/** What the first cell's backticks hold. */
export const codeOf = (cell = ''): string => /^`(.*)`$/u.exec(cell)?.[1] ?? cell;
