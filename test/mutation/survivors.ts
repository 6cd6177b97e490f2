import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Mutant } from './mutant.js';

/** What became of the mutants of one module. */
export interface ModuleReport {
  readonly module: string;
  readonly mutants: number;
  readonly survivors: readonly string[];
}

const page = join(import.meta.dirname, 'survivors.md');
const noReason = 'No reason yet.';
const head = `# Mutants that no test notices

Written by \`npm run mutation\`, which keeps the reasons; a mutant is known by the text of its line, not by its number.

`;

/** How the page names a mutant. */
export const nameOf = (source: string, { kind, line, start, end, replacement }: Mutant): string => {
  const text = shown(source.split('\n')[line - 1] ?? '', 90);
  return `${text} : ${kind}, ${shown(source.slice(start, end), 60)} → ${shown(replacement, 60)}`;
};

const shown = (text: string, most: number): string => {
  const line = text.replace(/\s+/gu, ' ').trim();
  const cut = line.length > most ? `${line.slice(0, most - 1)}…` : line;
  return cut.includes('`') ? `\`\` ${cut} \`\`` : `\`${cut}\``;
};

/** Writes what survived, with the reasons that were written before; tells which ones have none. */
export const writeSurvivors = async (reports: readonly ModuleReport[]): Promise<readonly string[]> => {
  const sections = read();
  const missing: string[] = [];
  for (const { module, mutants, survivors } of reports) {
    const before = sections.get(module)?.reasons ?? new Map<string, string>();
    const reasons = new Map(numbered(survivors).map((name) => [name, before.get(name) ?? noReason]));
    sections.set(module, { title: `${mutants - survivors.length} of ${mutants} killed`, reasons });
    missing.push(...[...reasons].filter(([, why]) => why === noReason).map(([name]) => `${module}: ${name}`));
  }
  const text = [...sections]
    .filter(([module]) => existsSync(join(import.meta.dirname, '..', '..', module)))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, { title, reasons }]) => {
      const list = [...reasons].map(([name, why]) => `- ${name}\n  ${why}\n`).join('');
      return `## ${module}: ${title}\n\n${list}`;
    });
  const options = await resolveConfig(page);
  writeFileSync(page, await format(head + text.join('\n'), { ...options, filepath: page }));
  return missing;
};

/** Two mutants of one text are told apart by a number. */
const numbered = (names: readonly string[]): readonly string[] => {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
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
