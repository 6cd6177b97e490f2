// Writes the reference of every entry of the package into site/.pages/api, from the types and docstrings of src, by TypeDoc.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { entries, root } from '../scripts/entries.mjs';
import { pagesFolder } from './pages.mjs';
import { anchorsOf } from './parts.mjs';

const folder = join(pagesFolder, 'api');

/** The entries as pages: what a program imports, its module, and the name of its page. */
const pages = entries.map(({ specifier, reported }) => ({
  specifier,
  module: reported,
  page: specifier === 'promptwire' ? 'promptwire' : reported,
}));

/** The main entry has so many members that its kinds are pages of their own. */
const kinds = ['Interfaces', 'Type Aliases'];

export const writeReference = () => {
  const typedoc = join(import.meta.dirname, 'node_modules', 'typedoc', 'bin', 'typedoc');
  const points = pages.flatMap(({ module }) => ['--entryPoints', join(root, 'src', `${module}.ts`)]);
  execFileSync(process.execPath, [typedoc, '--options', 'typedoc.json', '--out', folder, ...points], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const texts = new Map(
    pages.flatMap(({ module, page, specifier }) => {
      const text = readFileSync(join(folder, `${module}.md`), 'utf8')
        .replace(/^# .*$/mu, `# ${specifier}`)
        // The anchor of a heading is the one that links have: of members with one name each has its own.
        .replace(/^<a id="([^"]+)"><\/a>\n+(#{2,6} .+)$/gmu, '$2 {#$1}');
      rmSync(join(folder, `${module}.md`));
      return page === 'promptwire' ? split(text) : [[page, text]];
    }),
  );
  const homes = homesOf(texts.get('promptwire-interfaces'), texts.get('promptwire-types'));
  for (const [page, text] of texts) writeFileSync(join(folder, `${page}.md`), relinked(text, page, homes));
  rmSync(join(folder, 'README.md'), { force: true });
  writeFileSync(join(folder, 'index.md'), index(texts));
};

/** The main entry: its functions and values, its interfaces, and its types. */
const split = (text) => {
  const [head = '', ...sections] = text.split(/^(?=## )/mu);
  const of = (kind) => sections.filter((section) => section.startsWith(`## ${kind}\n`)).join('');
  const rest = sections.filter((section) => !kinds.some((kind) => section.startsWith(`## ${kind}\n`)));
  return [
    ['promptwire', `${head}${rest.join('')}`],
    ['promptwire-interfaces', `# promptwire: interfaces\n\n${of('Interfaces')}`],
    ['promptwire-types', `# promptwire: types\n\n${of('Type Aliases')}`],
  ];
};

/** Which page has the member of an anchor, of those of the main entry that are not on its first page. */
const homesOf = (interfaces, types) =>
  new Map([
    ...anchorsOf(interfaces).map((anchor) => [anchor, 'promptwire-interfaces']),
    ...anchorsOf(types).map((anchor) => [anchor, 'promptwire-types']),
  ]);

/** Links to members of the main entry, by the page that has them. */
const relinked = (text, page, homes) => {
  const isMain = page.startsWith('promptwire');
  return text
    .replace(/\]\(([\w-]*)(?:\.md)?#([\w-]+)\)/gu, (_, module, anchor) => {
      const named = pages.find((one) => one.module === module)?.page ?? module;
      const isToMain = named === 'promptwire' || (named === '' && isMain);
      const target = isToMain ? (homes.get(anchor) ?? 'promptwire') : named;
      return `](${target === '' || target === page ? '' : `./${target}.md`}#${anchor})`;
    })
    .replace(
      /\]\(([\w-]+)\.md\)/gu,
      (_, module) => `](./${pages.find((one) => one.module === module)?.page ?? module}.md)`,
    );
};

const index = (texts) =>
  [
    '# Modules',
    '',
    'Every entry of the package, made of its types and docstrings.',
    '',
    '| import from | what it is |',
    '| --- | --- |',
    ...pages.map((entry) => `| [\`${entry.specifier}\`](./${entry.page}.md) | ${summaryOf(entry, texts)} |`),
    '',
    'The main entry has pages of its own for its [interfaces](./promptwire-interfaces.md) and [types](./promptwire-types.md).',
    '',
  ].join('\n');

/** What an entry is: the first sentence of its docstring, or of the comment that its module begins with. */
const summaryOf = ({ module, page }, texts) => {
  const [, paragraph = ''] = texts.get(page).split('\n\n');
  const text = paragraph.startsWith('#') ? commentOf(module) : paragraph;
  return (/^.*?\.(?=\s|$)/su.exec(text)?.[0] ?? text).replaceAll('\n', ' ');
};

const commentOf = (module) => {
  const lines = readFileSync(join(root, 'src', `${module}.ts`), 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('// '));
  const text = lines
    .slice(0, end)
    .map((line) => line.slice(3))
    .join(' ');
  return text.replace(/^The entry `[^`]+`[^:]*: (.)/u, (_, first) => first.toUpperCase());
};
