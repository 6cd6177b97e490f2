// Makes the pages of the site of docs/, README.md and AGENTS.md, in site/.pages: the same text, with links that lead to pages where
// there is one, and into the repository elsewhere.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { manifest, root } from '../scripts/entries.mjs';

export const pagesFolder = join(import.meta.dirname, '.pages');

const home = manifest.homepage.replace('#readme', '');

/** The files of the repository that are pages, by where they go below {@link pagesFolder}. */
const sources = () =>
  new Map([
    ['README.md', 'index.md'],
    ['AGENTS.md', 'assistant.md'],
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.endsWith('.api.md'))
      .map((name) => [posix.join('docs', name), name.replace(/README\.md$/u, 'index.md')]),
  ]);

/** Pictures and files that pages show. */
const assets = () =>
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:svg|png|jpg|webp)$/u.test(name),
  );

/** Writes every page and every picture. */
export const writePages = () => {
  rmSync(pagesFolder, { recursive: true, force: true });
  for (const name of assets()) {
    mkdirSync(dirname(join(pagesFolder, name)), { recursive: true });
    cpSync(join(root, 'docs', name), join(pagesFolder, name));
  }
  for (const source of sources().keys()) writePage(source);
};

/** Writes the page of one file of the repository; does nothing for a file that is no page. */
export const writePage = (source) => {
  const page = sources().get(source);
  if (page === undefined) return;
  const path = join(pagesFolder, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, pageOf(readFileSync(join(root, source), 'utf8'), source));
};

/** A text of the repository as a page of the site. */
const pageOf = (text, source) =>
  outsideCode(
    text,
    (line) =>
      line
        .replace(/\]\(([^)\s]+)\)/gu, (_, target) => `](${targetOf(target, source)})`)
        .replace(/^(\[[^\]]+\]:\s*)(\S+)$/u, (_, label, target) => `${label}${targetOf(target, source)}`)
        .replace(/^<!-- playground: ([\w-]+) -->$/u, '<Playground name="$1" />'),
    // A header without a name is read out as nothing.
  ).replace(/^\|.*(?=\n\| ?:?-{3,})/gmu, (head) =>
    head.replace(/\| +(?=\|)/gu, '| <span class="visually-hidden">What</span> '),
  );

/** Changes the lines of a Markdown text that are no code. */
const outsideCode = (text, change) => {
  let fence;
  return text
    .split('\n')
    .map((line) => {
      const [, mark] = /^\s*(`{3,}|~{3,})/u.exec(line) ?? [];
      if (fence === undefined && mark !== undefined) fence = mark;
      else if (mark === fence) fence = undefined;
      return fence === undefined && mark === undefined ? change(line) : line;
    })
    .join('\n');
};

/** Where a link of a file leads on the site. */
const targetOf = (target, source) => {
  const path = pathOf(target, source);
  if (path === undefined) return target;
  const [file = '', anchor = ''] = path.split(/(?=#)/u);
  const pages = sources();
  const page = pages.get(file) ?? pages.get(posix.join(file, 'README.md')) ?? assetOf(file);
  if (page === undefined) return `${home}/blob/main/${path}`;
  return `${relative(pages.get(source), page)}${anchor}`;
};

const assetOf = (file) =>
  /^docs\/.*\.(?:svg|png|jpg|webp)$/u.test(file) ? file.slice('docs/'.length) : undefined;

const relative = (from, to) => {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
};

/** The path in the repository that a link leads to; undefined for one on its own page or elsewhere. */
const pathOf = (target, source) => {
  if (target.startsWith(`${home}/`))
    return target.slice(home.length + 1).replace(/^(?:blob|raw|tree)\/main\//u, '');
  if (/^(?:\w+:|#)/u.test(target)) return undefined;
  return posix.join(posix.dirname(source), target);
};
