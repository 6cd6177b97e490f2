import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { addTallies } from './add-tallies.js';
import { derivedFigures, figures } from './board.js';
import type { Figure, Range, Tally } from './figure.js';
import { type Line, textOf, pageOf } from './report.js';

/**
 * Runs the scoreboard (`npm run scoreboard`), or the named figures only (`npm run scoreboard -- S1 S7`), which writes no
 * page. `--scale 0.1` plays a tenth of it. Exits with 1 where a target is missed.
 */
const main = async (argv: readonly string[]): Promise<void> => {
  const scaleAt = argv.indexOf('--scale');
  const scale = scaleAt === -1 ? 1 : Number(argv[scaleAt + 1]);
  const ids = argv.filter((word) => /^S\d+$/u.test(word));
  const wanted = (id: string): boolean => ids.length === 0 || ids.includes(id);
  const tallies = new Map<string, Tally>();
  const lines: Line[] = [];
  const tell = (line: Line): void => {
    lines.push(line);
    console.log(textOf(line));
  };

  for (const figure of figures) {
    if (
      !wanted(figure.id) &&
      !derivedFigures.some(({ id, from }) => ids.includes(id) && from.includes(figure.id))
    )
      continue;
    const startedAt = performance.now();
    const count = Math.max(1, Math.round(figure.count * scale));
    const tally = addTallies(
      await Promise.all(rangesOf(figure, count).map((range) => playRange(figure, range))),
    );
    tallies.set(figure.id, tally);
    const problems = [...tally.problems, ...(figure.shortfalls?.(tally, count) ?? [])];
    tell({
      ...figure,
      counts: tally.counts,
      problems,
      seeds: `1–${count}`,
      seconds: (performance.now() - startedAt) / 1000,
    });
  }
  for (const figure of derivedFigures) {
    if (!wanted(figure.id)) continue;
    const { counts, problems } = figure.derive(tallies);
    tell({ ...figure, counts, problems, seeds: `of ${figure.from.join(', ')}`, seconds: 0 });
  }
  if (ids.length === 0 && scale === 1) writeFileSync(pageFile, await pageOf(lines));
  if (lines.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
};

const pageFile = new URL('../../docs/scoreboard.md', import.meta.url);
const program = new URL('run-range.ts', import.meta.url).pathname;
const processes = Math.max(1, Math.min(2, availableParallelism()));

const rangesOf = ({ splits }: Figure, count: number): readonly Range[] => {
  const parts = splits ? processes : 1;
  const size = Math.ceil(count / parts);
  return Array.from({ length: parts }, (_, part) => ({
    from: 1 + part * size,
    count: Math.min(size, count - part * size),
  }));
};

const playRange = async ({ id }: Figure, { from, count }: Range): Promise<Tally> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', program, id, String(from), String(count)],
    { maxBuffer: 256 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as Tally;
};

await main(process.argv.slice(2));
