import { cpus } from 'node:os';
import { format } from 'prettier';

/** What one figure came to. */
export interface Line {
  readonly id: string;
  readonly what: string;
  readonly target: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
  readonly seeds: string;
  readonly seconds: number;
}

/** One line for the terminal, and below it the first problems. */
export const textOf = (line: Line): string =>
  [
    `${line.id.padEnd(4)} ${met(line)}  target: ${line.target} | reached: ${reached(line)} | seeds ${line.seeds} | ${line.seconds.toFixed(1)} s`,
    ...line.problems.slice(0, 10).map((problem) => `     ${problem}`),
    ...(line.problems.length > 10 ? [`     … and ${line.problems.length - 10} more`] : []),
  ].join('\n');

/** The page: a headline, and a table of all figures. */
export const pageOf = (lines: readonly Line[]): Promise<string> =>
  format(
    [
      '# Scoreboard',
      '',
      '<!-- Written by `npm run scoreboard`; do not edit. -->',
      '',
      'Every figure is played from seeds, in virtual time and without sockets unless it says otherwise, by the client that is',
      'published. A failing schedule prints one command that plays it again, for example',
      '`npm run replay -- S1 --seed 788 --jobs 0,1,2 --faults 0,1`.',
      '',
      `> ${headlineOf(lines)}`,
      '',
      '| figure | what | target | reached | seeds | seconds | |',
      '| --- | --- | --- | --- | --- | ---: | --- |',
      ...[...lines]
        .sort((one, other) => Number(one.id.slice(1)) - Number(other.id.slice(1)))
        .map((line) =>
          row([
            line.id,
            line.what,
            line.target,
            reached(line),
            line.seeds,
            line.seconds.toFixed(1),
            met(line),
          ]),
        ),
      '',
      `Node ${process.version}, ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores.`,
    ].join('\n'),
    { parser: 'markdown', printWidth: 110 },
  );

const headlineOf = (lines: readonly Line[]): string => {
  const of = (id: string, name: string): string =>
    grouped(lines.find((line) => line.id === id)?.counts[name] ?? 0);
  return [
    `${of('S1', 'schedules')} random fault schedules`,
    `${of('S1', 'virtual hours')} hours of virtual time`,
    `${of('S6', 'lost')} lost, ${of('S6', 'wrong')} wrong and ${of('S6', 'doubled')} doubled outcomes of ${of('S6', 'jobs')} jobs`,
    `${of('S7', 'duplicates')} double submissions of ${of('S7', 'submissions')}`,
    `${of('S5', 'frames')} hostile frames, ${of('S5', 'throws')} throws`,
  ].join(' · ');
};

const met = ({ problems }: Line): string => (problems.length === 0 ? 'met' : 'MISSED');

const reached = ({ counts }: Line): string =>
  Object.entries(counts)
    .map(([name, count]) => `${grouped(count)} ${name}`)
    .join(', ');

const grouped = (count: number): string =>
  count.toLocaleString('en-US', { maximumFractionDigits: Math.abs(count) < 100 ? 1 : 0 });

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
