import { format } from 'prettier';
import { type BoardRecord, budgetSeconds, type FigureRecord } from './records.js';

/** One line for the terminal, and below it the first problems. */
export const textOf = (line: FigureRecord): string =>
  [
    `${titleOf(line).padEnd(28)} ${met(line)}  target: ${line.target} | reached: ${reached(line)} | seeds ${line.seeds} | ${line.seconds.toFixed(1)} s`,
    ...line.problems.slice(0, 10).map((problem) => `     ${problem}`),
    ...(line.problems.length > 10 ? [`     … and ${line.problems.length - 10} more`] : []),
  ].join('\n');

/** The last line: how long all took. */
export const totalOf = ({ figures, seconds }: Pick<BoardRecord, 'figures' | 'seconds'>): string => {
  const missed = figures.filter(({ problems }) => problems.length > 0).map(titleOf);
  return [
    `all  ${isInBudget({ seconds }) ? 'met' : 'MISSED'}  target: ≤ ${budgetSeconds} s on two cores | reached: ${Math.round(seconds)} s`,
    missed.length === 0 ? `${figures.length} figures met` : `missed: ${missed.join(', ')}`,
  ].join(' | ');
};

/** Whether the board kept its own budget. */
export const isInBudget = ({ seconds }: Pick<BoardRecord, 'seconds'>): boolean => seconds <= budgetSeconds;

/** The page: a headline, and a table of all figures. */
export const pageOf = (board: BoardRecord): Promise<string> =>
  format(
    [
      '# Scoreboard',
      '',
      '<!-- Written by `npm run scoreboard` from scoreboard.json; do not edit. -->',
      '',
      'Every figure is played from seeds, in virtual time and without sockets unless it says otherwise, by the client that is',
      'published. A failing schedule prints one command that plays it again, for example',
      '`npm run replay -- S1 --seed 788 --jobs 0,1,2 --faults 0,1`. `npm run scoreboard` plays the figures S…,',
      '`npm run scoreboard -- workflow --keep` those of reading, converting and validating workflows, W…, `-- gateway --keep` those of',
      'the gateway, G…, and `-- queue --keep` those of the queue, D….',
      '',
      `> ${headlineOf(board)}`,
      '',
      '| figure | what | target | reached | seeds | seconds | |',
      '| --- | --- | --- | --- | --- | ---: | --- |',
      ...[...board.figures]
        .sort((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }))
        .map((line) =>
          row([
            titleOf(line),
            line.what,
            line.target,
            reached(line),
            line.seeds,
            line.seconds.toFixed(1),
            met(line),
          ]),
        ),
      '',
      `All in ${Math.round(board.seconds)} s of at most ${budgetSeconds} s. promptwire ${board.versions.promptwire}, Node ${board.versions.node}, ${board.versions.processor}, ${board.versions.cores} cores.`,
    ].join('\n'),
    { parser: 'markdown', printWidth: 110 },
  );

/** The line that the README carries as well. */
export const headlineOf = ({ figures }: Pick<BoardRecord, 'figures'>): string => {
  const of = (id: string, name: string): string => {
    const count = figures.find((line) => line.id === id)?.counts[name];
    return count === undefined ? 'unknown' : grouped(count);
  };
  return [
    `${of('S1', 'schedules')} random fault schedules`,
    `${of('S1', 'virtual hours')} hours of virtual time`,
    `${of('S6', 'lost')} lost, ${of('S6', 'wrong')} wrong and ${of('S6', 'doubled')} doubled outcomes of ${of('S6', 'jobs')} jobs`,
    `${of('S7', 'duplicates')} double submissions of ${of('S7', 'submissions')}`,
    `${of('S12', 'left')} sockets or timers left after ${of('S12', 'lifecycles')} jobs`,
    `${of('S5', 'frames')} hostile frames, ${of('S5', 'throws')} throws`,
    `key found ${of('S8', 'hits')} times`,
  ].join(' · ');
};

/** The README with the headline of this board in place of the one that it has. */
export const withHeadline = (readme: string, board: BoardRecord): string =>
  readme.replace(/^> .*random fault schedules.*$/mu, `> ${headlineOf(board)}`);

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** The number and the name of a figure. */
const titleOf = ({ id, name }: Pick<FigureRecord, 'id' | 'name'>): string => `${id} ${name}`;

const met = ({ problems }: FigureRecord): string => (problems.length === 0 ? 'met' : 'MISSED');

const reached = ({ counts }: FigureRecord): string =>
  Object.entries(counts)
    .map(([name, count]) => `${grouped(count)} ${name}`)
    .join(', ');

const grouped = (count: number): string =>
  count.toLocaleString('en-US', { maximumFractionDigits: Math.abs(count) < 100 ? 1 : 0 });
