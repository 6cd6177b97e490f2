import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Mutant } from './mutant.js';
import { targets } from './config.js';

/** What became of the mutants of one module. */
export interface ModuleReport {
  readonly module: string;
  /** How many were played. */
  readonly mutants: number;
  /** How many the module has. */
  readonly of: number;
  readonly survivors: readonly string[];
  /** The mutants that were not played. */
  readonly left: readonly string[];
}

const page = join(import.meta.dirname, 'survivors.md');
const noReason = 'No reason yet.';
const head = `# Mutants that no test notices

Written by \`npm run mutation\`, which keeps the reasons; a mutant is known by the text of its line, not by its number.

`;

/** How the page names each of a module's mutants: those with the same text are told apart by a number. */
export const namesOf = (source: string, mutants: readonly Mutant[]): readonly string[] => {
  const lines = source.split('\n');
  const seen = new Map<string, number>();
  return mutants.map(({ kind, line, start, end, replacement }) => {
    const change = shownChange(oneLine(source.slice(start, end)), oneLine(replacement));
    const name = `${code(cut(oneLine(lines[line - 1] ?? ''), 90))} : ${kind}, ${change}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
};

/** Of a long text only the surroundings of the change are shown. */
const shownChange = (before: string, after: string): string => {
  const isLong = before.length > 60;
  const from = isLong ? Math.max(0, commonStart(before, after) - 20) : 0;
  const show = (text: string): string => code(cut(from === 0 ? text : `…${text.slice(from)}`, 60));
  return `${show(before)} → ${show(after)}`;
};

const commonStart = (one: string, other: string): number => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
};

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** As the formatter writes it, so that a reason is found again. */
const code = (text: string): string => {
  if (!text.includes('`')) return `\`${text}\``;
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `\`\`${space}${text}${space}\`\``;
};

/** Writes what survived, with the reasons that were written before; returns which ones have none. */
export const writeSurvivors = async (reports: readonly ModuleReport[]): Promise<readonly string[]> => {
  const sections = read();
  const missing: string[] = [];
  for (const { module, mutants, of, survivors, left } of reports) {
    const before = sections.get(module)?.reasons ?? new Map<string, string>();
    const reasons = new Map([
      ...[...before].filter(([name]) => left.includes(name)),
      ...survivors.map((name) => [name, before.get(name) ?? noReason] as const),
    ]);
    const sampled = mutants < of ? `, a sample of ${of}` : '';
    sections.set(module, { title: `${mutants - survivors.length} of ${mutants} killed${sampled}`, reasons });
    missing.push(...[...reasons].filter(([, why]) => why === noReason).map(([name]) => `${module}: ${name}`));
  }
  const judged = new Set(targets([]).flatMap(({ modules }) => modules));
  const text = [...sections]
    .filter(([module]) => judged.has(module))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, { title, reasons }]) => {
      const list = [...reasons].map(([name, why]) => `- ${name}\n  ${why}\n`).join('');
      return `## ${module}: ${title}\n\n${list}`;
    });
  const options = await resolveConfig(page);
  writeFileSync(page, await format(head + text.join('\n'), { ...options, filepath: page }));
  return missing;
};

interface Section {
  readonly title: string;
  readonly reasons: ReadonlyMap<string, string>;
}

const read = (): Map<string, Section> => {
  const sections = new Map<string, Section>();
  const [, ...parts] = existsSync(page) ? readFileSync(page, 'utf8').split(/^## /mu) : [];
  for (const part of parts) {
    const [title = '', ...lines] = part.split('\n');
    const [, module = '', count = ''] = /^(\S+): (.*)$/u.exec(title) ?? [];
    const reasons = new Map(
      lines
        .join('\n')
        .split(/^- /mu)
        .slice(1)
        .map((item) => {
          const [name = '', ...why] = item.trim().split('\n');
          return [name, why.map((line) => line.trim()).join(' ')] as const;
        }),
    );
    sections.set(module, { title: count, reasons });
  }
  return sections;
};
