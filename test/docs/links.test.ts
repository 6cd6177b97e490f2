import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifest, root } from '../../scripts/entries.mjs';

const home = manifest.homepage.replace('#readme', '');

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'benchmarks/README.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.endsWith('.api.md'))
    .map((name) => join('docs', name)),
];

/** A page without its code, whose brackets are no links. */
const proseOf = (page: string): string =>
  readFileSync(join(root, page), 'utf8')
    .replace(/^```[^]*?^```/gmu, '')
    .replace(/`[^`\n]*`/gu, 'code');

/** Where a page leads: by links in the text, and by definitions at its end. */
const targetsOf = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gmu)].map(
    ([, inline, defined]) => inline ?? defined ?? '',
  );

/** The anchors of a page, as GitHub makes them of headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.*)$/gmu)].map(([, heading = '']) =>
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

  it('of the README works on the page of the registry as well: it is absolute, or a file of the package', () => {
    const packed = manifest.files.map((path) => path.replace(/\/\*\..*/u, '/'));
    const others = targetsOf('README.md').filter((target) => !/^(?:https:|#)/u.test(target));
    expect(others.filter((target) => !packed.some((folder) => target.startsWith(folder)))).toEqual([]);
  });

  it.each(pages)('of %s that refers to a definition has one', (page) => {
    const text = proseOf(page);
    const labels = [...text.matchAll(/\][[]([^\]]+)\]|[[]((?:docs|benchmarks)\/[^\]]+)\](?![[:(])/gu)];
    const defined = [...text.matchAll(/^[[]([^\]]+)\]: /gmu)].map(([, label]) => label);
    expect(
      labels.map(([, label, short]) => label ?? short).filter((label) => !defined.includes(label)),
    ).toEqual([]);
  });
});
