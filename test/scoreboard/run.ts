import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { addTallies } from './add-tallies.js';
import { bundleProgram } from '../helpers/bundle-program.js';
import { derivedFigures, figures, groups } from './board.js';
import { choose } from './choice.js';
import type { Figure, Range, Tally } from './figure.js';
import { inSlots, type Task } from './in-slots.js';
import { playRange, runRange } from './play-range.js';
import {
  type BoardRecord,
  type FigureRecord,
  type Group,
  readRecords,
  recordsFile,
  renewed,
  versionsOf,
} from './records.js';
import { pageOf, textOf, totalOf, withHeadline } from './report.js';

/**
 * Runs the scoreboard (`npm run scoreboard`, or `-- client`: the figures of the client) and writes its records, its page and the
 * headline of the README; or the named figures only (`npm run scoreboard -- soak takeover`, `-- workflow` for those of workflows,
 * `-- gateway` for those of the gateway, `-- queue` for those of the queue), which writes nothing unless `--keep` renews their
 * records; that of a figure that ranges over all is renewed by the whole board only. `--scale 0.1` plays a tenth of it. Exits with 1
 * where a target is missed.
 */
const main = async (argv: readonly string[]): Promise<void> => {
  const choice = choose(argv, { figures, derived: derivedFigures, groups });
  if (typeof choice === 'string') {
    console.error(choice);
    process.exitCode = 2;
    return;
  }
  const { ids, scale, isWhole, isKept } = choice;
  const isNeeded = (id: string): boolean =>
    derivedFigures.some((derived) => ids.includes(derived.id) && derived.from.includes(id));
  const tallies = new Map<string, Tally>();
  const secondsOf = new Map<string, number>();
  const lines: FigureRecord[] = [];
  const report = (line: FigureRecord): void => {
    lines.push(line);
    console.log(textOf(line));
  };

  const boardStartedAt = performance.now();
  const program = await bundleProgram(runRange);
  const played = figures
    .filter(({ id }) => ids.includes(id) || isNeeded(id))
    .flatMap((figure): readonly Task[] => {
      const { id, what, target, isPart, isAlone, mostlyWaits } = figure;
      const count = Math.max(1, Math.round(figure.count * scale));
      const ranges = rangesOf(figure, count);
      const parts = new Map<number, Tally>();
      let startedAt: number | undefined;
      const finish = (): void => {
        const tally = addTallies(ranges.map(({ from }) => parts.get(from)!));
        const problems = [...tally.problems, ...(figure.shortfalls?.(tally, count) ?? [])];
        const seconds = (performance.now() - startedAt!) / 1000;
        tallies.set(id, { ...tally, problems });
        secondsOf.set(id, seconds);
        if (isPart !== true)
          report({
            id,
            group: groupOf(id),
            what,
            target,
            counts: tally.counts,
            problems,
            seeds: `1–${count}`,
            seconds,
          });
      };
      return ranges.map((range) => ({
        isAlone,
        mostlyWaits,
        run: async () => {
          startedAt ??= performance.now();
          parts.set(range.from, await playRange(id, range, program));
          if (parts.size === ranges.length) finish();
        },
      }));
    });
  await inSlots(played, processes);
  for (const { id, what, target, from, overAll, derive } of derivedFigures) {
    if (!ids.includes(id)) continue;
    const { counts, problems } = derive(tallies);
    const seeds = overAll === true ? `of all ${tallies.size}` : `of ${from.join(', ')}`;
    const seconds = from.filter(isPart).reduce((sum, part) => sum + (secondsOf.get(part) ?? 0), 0);
    report({ id, group: groupOf(id), what, target, counts, problems, seeds, seconds });
  }
  const seconds = (performance.now() - boardStartedAt) / 1000;
  const board: BoardRecord = { figures: lines, seconds, versions: versionsOf() };
  if (isWhole) console.log(totalOf(board));
  if (isKept)
    await write(
      isWhole ? { ...board, figures: renewed(readRecords(), lines).figures } : renewed(readRecords(), lines),
    );
  if (lines.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
};

const write = async (board: BoardRecord): Promise<void> => {
  writeFileSync(recordsFile, `${JSON.stringify(board, undefined, 2)}\n`);
  writeFileSync(new URL('../../docs/scoreboard.md', import.meta.url), await pageOf(board));
  const readme = new URL('../../README.md', import.meta.url);
  writeFileSync(readme, withHeadline(readFileSync(readme, 'utf8'), board));
};

const processes = Math.max(1, Math.min(2, availableParallelism()));

const groupOf = (id: string): Group =>
  (Object.keys(groups) as Group[]).find((group) => groups[group].includes(id)) ?? 'client';

const isPart = (id: string): boolean => figures.some((figure) => figure.id === id && figure.isPart === true);

const rangesOf = ({ splits }: Figure, count: number): readonly Range[] => {
  const parts = splits ? processes : 1;
  const size = Math.ceil(count / parts);
  return Array.from({ length: parts }, (_, part) => ({
    from: 1 + part * size,
    count: Math.min(size, count - part * size),
  })).filter((range) => range.count > 0);
};

await main(process.argv.slice(2));
