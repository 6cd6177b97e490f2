import { type Outcome, sectionOf } from './section.js';
import { summaryCells, summaryTable } from './summary.js';

/**
 * Puts the sections of single benchmarks into the text of results.md, in place of those of before or where they belong, and their
 * rows into the summary.
 *
 * @param order - The names of all benchmarks, in the order of the sections.
 * @param when - Says where and when these were measured, as the heading speaks of the whole run.
 */
export const renewSections = (
  text: string,
  outcomes: readonly Outcome[],
  order: readonly string[],
  when: string,
): string => {
  const [head = '', ...written] = text.split(/^(?=## )/mu);
  const sections = new Map(written.map((section) => [/^## (.*)$/mu.exec(section)?.[1] ?? '', section]));
  const [before = '', , after = ''] = head.split(/((?:^\|.*\n)+)/mu);
  const rows = new Map<string, readonly string[]>(
    [...head.matchAll(/^\| \[(.*?)\].*$/gmu)].map(([line, name = '']) => [
      name,
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ]),
  );
  for (const outcome of outcomes) {
    const { name } = outcome.benchmark;
    sections.set(name, `${sectionOf(outcome).trimEnd()}\n\nMeasured alone, at ${when}.\n`);
    rows.set(name, summaryCells(outcome));
  }
  const inOrder = <A>(all: ReadonlyMap<string, A>): readonly A[] =>
    order.map((name) => all.get(name)).filter((one) => one !== undefined);
  const body = inOrder(sections).map((section) => `${section.trimEnd()}\n`);
  return `${before}${summaryTable(inOrder(rows))}${after}${body.join('\n')}`;
};
