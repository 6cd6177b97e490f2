import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifest, root } from '../../scripts/entries.mjs';
import { byCommonmark, byMarkdownIt } from './markdown.js';

const home = manifest.homepage.replace('#readme', '');

const pages = [
  ...['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'benchmarks/README.md', 'test/README.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.endsWith('.api.md'))
    .map((name) => join('docs', name)),
];

const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Where a page leads, by links in the text and by pictures. */
const targetsOf = (page: string): readonly string[] => byCommonmark(read(page)).targets;

/** The anchors of a page, as GitHub makes them of headings. */
const anchorsOf = (page: string): readonly string[] =>
  byCommonmark(read(page)).headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The file or folder of the repository that a target is, or undefined for one elsewhere. */
const fileOf = (page: string, target: string): string | undefined => {
  const path = target.replace(/#.*/u, '');
  if (path.startsWith(`${home}/`))
    return path.slice(home.length).replace(/^\/(?:blob|raw|tree)\/main\//u, '');
  if (/^\w+:/u.test(path)) return undefined;
  return path === '' ? page : relative(root, join(root, dirname(page), path));
};

const links = pages.flatMap((page) => targetsOf(page).map((target) => [page, target] as const));

describe('a link', () => {
  it.each(links)('of %s leads to what is there: %s', (page, target) => {
    const file = fileOf(page, target);
    if (file === undefined) return;
    expect(existsSync(join(root, file))).toBe(true);
    const [, anchor] = target.split('#');
    if (anchor !== undefined && file.endsWith('.md')) expect(anchorsOf(file)).toContain(anchor);
  });

  it.each(['README.md', 'AGENTS.md'])(
    'of %s works in the package as well: it is absolute, or a file there',
    (page) => {
      const packed = manifest.files.map((path) => path.replace(/\/\*\..*/u, '/'));
      const others = targetsOf(page).filter((target) => !/^(?:https:|#)/u.test(target));
      expect(others.filter((target) => !packed.some((folder) => target.startsWith(folder)))).toEqual([]);
    },
  );
});

/** Text in brackets that an engine shows as text, so that a link or a definition is broken; the numbers of statements are meant so. */
const unresolved = (prose: readonly string[]): readonly string[] =>
  prose
    .flatMap((text) => [...text.matchAll(/\[([^\]]*)\]/gu)].map(([, label = '']) => label))
    .filter((label) => !/^(?:[A-Z]|\d+)\.[\d.]+$/u.test(label));

describe('a page that two engines render', () => {
  it.each(pages)('shows no brackets of a link that resolves nowhere: %s', (page) => {
    expect(unresolved(byCommonmark(read(page)).prose)).toEqual([]);
    expect(unresolved(byMarkdownIt(read(page)).prose)).toEqual([]);
  });

  it.each(pages)('leads to the same places and has the same headings in both: %s', (page) => {
    const { targets, headings } = byCommonmark(read(page));
    expect(byMarkdownIt(read(page))).toMatchObject({ targets, headings });
  });

  it.each([
    ['a definition inside of a paragraph', 'See\n[here]: https://a.example\n', ['here']],
    ['a reference without a definition', 'See [here][there].\n', ['here', 'there']],
    [
      'a definition that no blank line precedes',
      '[a]: https://a.example\ntext [b]\n[b]: https://b.example\n',
      ['b', 'b'],
    ],
    ['a whole link', 'See [here].\n\n[here]: https://a.example\n', []],
  ])('tells %s', (_, markdown, labels) => {
    expect(unresolved(byCommonmark(markdown).prose)).toEqual(labels);
    expect(unresolved(byMarkdownIt(markdown).prose)).toEqual(labels);
  });
});
