// Splits pages that are too long to be one page of the site at their headings, and leads links to the part that has their anchor.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pagesFolder } from './pages.mjs';

/** How much Markdown a page may have, in characters; the walk through the site holds what comes of it to 120 kB. */
const most = 50_000;

/** The anchor of a heading, as a page of a repository has it. */
export const slugOf = (heading) =>
  heading
    .replace(/\\?<.*$/u, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Splits every long page of {@link pagesFolder}. */
export const writeParts = () => {
  const names = readdirSync(pagesFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const texts = new Map(names.map((name) => [name, readFileSync(join(pagesFolder, name), 'utf8')]));
  const homes = new Map();
  for (const [name, text] of [...texts]) {
    if (text.length <= most) continue;
    const parts = partsOf(text).map((part, index) => [
      index === 0 ? name : name.replace('.md', `-${index + 1}.md`),
      part,
    ]);
    for (const [page, part] of parts) {
      texts.set(page, part);
      for (const anchor of anchorsOf(part)) {
        const key = `${name}#${anchor}`;
        if (!homes.has(key)) homes.set(key, page);
      }
    }
    for (const [page] of parts) homes.set(page, name);
  }
  for (const [name, text] of texts) writeFileSync(join(pagesFolder, name), relinked(name, text, homes));
};

/** The parts of a text: whole sections, as many as fit, and each part below the title. */
const partsOf = (text) => {
  const title = /^# (.+)$/mu.exec(text)?.[1] ?? '';
  const parts = [''];
  let chapter = '';
  for (const section of sectionsOf(text)) {
    chapter = /^## (.+?)(?: \{#.*\})?$/mu.exec(section)?.[1] ?? chapter;
    const head = section.startsWith('### ') && chapter !== '' ? `## ${chapter}, continued\n\n` : '';
    const last = parts.at(-1);
    if (last !== '' && last.length + section.length > most)
      parts.push(`# ${title}, part ${parts.length + 1}\n\n${head}${section}`);
    else parts[parts.length - 1] = last + section;
  }
  return parts;
};

const sectionsOf = (text) => {
  let isCode = false;
  const sections = [''];
  for (const line of text.split('\n')) {
    if (/^\s*```/u.test(line)) isCode = !isCode;
    if (!isCode && /^#{2,3} /u.test(line)) sections.push('');
    sections[sections.length - 1] += `${line}\n`;
  }
  return sections;
};

/** The anchors of a page: of its headings, by their own (`{#anchor}`) or by their words, and of its elements. */
export const anchorsOf = (text) => [
  ...[...text.matchAll(/^#{2,6} (.+?)(?: \{#(.+)\})?$/gmu)].map(([, heading, own]) => own ?? slugOf(heading)),
  ...[...text.matchAll(/<a id="([^"]+)">/gu)].map(([, id]) => id),
];

/** Leads links with an anchor to the part that has it. */
const relinked = (name, text, homes) =>
  text.replace(/\]\(((?:\.{1,2}\/[^)#\s]*\.md)?)#([^)\s]+)\)/gu, (link, file, anchor) => {
    const target = file === '' ? (homes.get(name) ?? name) : posix.join(posix.dirname(name), file);
    const home = homes.get(`${target}#${anchor}`);
    if (home === undefined) return link;
    return home === name ? `](#${anchor})` : `](${relative(name, home)}#${anchor})`;
  });

const relative = (from, to) => {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
};
