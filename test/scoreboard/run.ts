import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { addTallies } from './add-tallies.js';
import { derivedFigures, figures } from './board.js';
import type { Figure, Range, Tally } from './figure.js';
import { playRange } from './play-range.js';
import {
  type BoardRecord,
  type FigureRecord,
  readRecords,
  recordsFile,
  refusalToKeep,
  renewed,
  versionsOf,
} from './records.js';
import { isInBudget, pageOf, textOf, totalOf, withHeadline } from './report.js';

/**
 * Runs the scoreboard (`npm run scoreboard`, or `-- client`: all figures are of the client) and writes its records, its page and the headline of the README; or the
 * named figures only (`npm run scoreboard -- S1 S7`), which writes nothing unless `--keep` renews their records; that of a
 * figure that ranges over all is renewed by the whole board only. `--scale 0.1` plays a tenth of it. Exits with 1 where a
 * target is missed.
 */
const main = async (argv: readonly string[]): Promise<void> => {
  const scaleAt = argv.indexOf('--scale');
  const scale = scaleAt === -1 ? 1 : Number(argv[scaleAt + 1]);
  const ids = argv.filter((word) => /^S\d/u.test(word));
  const keeps = argv.includes('--keep');
  const refusal = keeps ? refusalToKeep(ids, scale, derivedFigures) : undefined;
  if (refusal !== undefined) {
    console.error(refusal);
    process.exitCode = 2;
    return;
  }
  const isKept = scale === 1 && (ids.length === 0 || keeps);
  const wanted = (id: string): boolean => ids.length === 0 || ids.includes(id);
  const isNeeded = (id: string): boolean =>
    derivedFigures.some((derived) => wanted(derived.id) && derived.from.includes(id));
  const tallies = new Map<string, Tally>();
  const secondsOf = new Map<string, number>();
  const lines: FigureRecord[] = [];
  const tell = (line: FigureRecord): void => {
    lines.push(line);
    console.log(textOf(line));
  };

  const boardStartedAt = performance.now();
  for (const figure of figures) {
    const { id, what, target } = figure;
    if (!wanted(id) && !isNeeded(id)) continue;
    const startedAt = performance.now();
    const count = Math.max(1, Math.round(figure.count * scale));
    const parts = await Promise.all(rangesOf(figure, count).map((range) => playRange(id, range)));
    const tally = addTallies(parts);
    const problems = [...tally.problems, ...(figure.shortfalls?.(tally, count) ?? [])];
    const seconds = (performance.now() - startedAt) / 1000;
    tallies.set(id, { ...tally, problems });
    secondsOf.set(id, seconds);
    if (figure.isPart === true) continue;
    tell({ id, what, target, counts: tally.counts, problems, seeds: `1–${count}`, seconds });
  }
  for (const { id, what, target, from, overAll, derive } of derivedFigures) {
    if (!wanted(id)) continue;
    const { counts, problems } = derive(tallies);
    const seeds = overAll === true ? `of all ${tallies.size}` : `of ${from.join(', ')}`;
    const seconds = from.filter(isPart).reduce((sum, part) => sum + (secondsOf.get(part) ?? 0), 0);
    tell({ id, what, target, counts, problems, seeds, seconds });
  }
  const seconds = (performance.now() - boardStartedAt) / 1000;
  const board: BoardRecord = { figures: lines, seconds, versions: versionsOf() };
  if (ids.length === 0) console.log(totalOf(board));
  if (isKept) await write(ids.length === 0 ? board : renewed(readRecords(), lines));
  if (lines.some(({ problems }) => problems.length > 0) || !isInBudget(board)) process.exitCode = 1;
};

const write = async (board: BoardRecord): Promise<void> => {
  writeFileSync(recordsFile, `${JSON.stringify(board, undefined, 2)}\n`);
  writeFileSync(new URL('../../docs/scoreboard.md', import.meta.url), await pageOf(board));
  const readme = new URL('../../README.md', import.meta.url);
  writeFileSync(readme, withHeadline(readFileSync(readme, 'utf8'), board));
};

const processes = Math.max(1, Math.min(2, availableParallelism()));

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
