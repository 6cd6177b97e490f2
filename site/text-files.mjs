// Writes, beside the built pages, what programs read: each page as Markdown, llms.txt with a line for each, and llms-full.txt.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { manifest } from '../scripts/entries.mjs';
import { groupsOf } from './outline.mjs';
import { pagesFolder } from './pages.mjs';

/** The pages of the site, as paths without `.md`. */
export const pagePaths = () =>
  readdirSync(pagesFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/').replace(/\.md$/u, ''))
    .sort();

const read = (path) => readFileSync(join(pagesFolder, `${path}.md`), 'utf8');

/** The title of a page: its first heading. */
export const titleOf = (path) => /^# (.+)$/mu.exec(read(path))?.[1]?.replace(/[`\\]/gu, '') ?? path;

/** What a page says first, as one line without links. */
const summaryOf = (path) => {
  const paragraph = read(path)
    .split(/\n{2,}/u)
    .find((text) => /^(?:\p{L}|`(?!``)|\[)/u.test(text));
  const line = (paragraph ?? '').replaceAll('\n', ' ').replace(/\[([^\]]+)\]\([^)]*\)/gu, '$1');
  return (/^.*?[.:](?=\s|$)/u.exec(line)?.[0] ?? line.slice(0, 200)).replace(/:$/u, '.');
};

/** What no assistant needs to write a program: reasons, figures and lists of tests. */
const isLeftOut = (path) =>
  /^(?:api\/|decisions$|failure-modes$|scoreboard$|sdk-scenarios$|performance$)/u.test(path);

export const writeTextFiles = (out) => {
  const paths = pagePaths();
  for (const path of paths) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    cpSync(join(pagesFolder, `${path}.md`), join(out, `${path}.md`));
  }
  const groups = groupsOf(paths);
  const lines = groups.flatMap(({ text, pages }) => [
    `## ${text}`,
    '',
    ...pages.map((path) => `- [${titleOf(path)}](${path}.md): ${summaryOf(path)}`),
    '',
  ]);
  writeFileSync(
    join(out, 'llms.txt'),
    [`# ${manifest.name}`, '', `> ${manifest.description}`, '', ...lines].join('\n'),
  );
  const full = groups.flatMap(({ pages }) => pages).filter((path) => !isLeftOut(path));
  writeFileSync(
    join(out, 'llms-full.txt'),
    full.map((path) => `<!-- ${path}.md -->\n\n${read(path)}`).join('\n'),
  );
};
