import { format } from 'prettier';
import type { BoardRecord, FigureRecord, Group } from './records.js';

/** One line for the terminal, and below it the first problems. */
export const textOf = (line: FigureRecord): string =>
  [
    `${line.id.padEnd(28)} ${met(line)}  target: ${line.target} | reached: ${reached(line)} | seeds ${line.seeds} | ${line.seconds.toFixed(1)} s`,
    ...line.problems.slice(0, 10).map((problem) => `     ${problem}`),
    ...(line.problems.length > 10 ? [`     … and ${line.problems.length - 10} more`] : []),
  ].join('\n');

/** The last line: what was missed, and how long all took, which is no target: that depends on what else the machine does. */
export const totalOf = ({ figures, seconds }: Pick<BoardRecord, 'figures' | 'seconds'>): string => {
  const missed = figures.filter(({ problems }) => problems.length > 0).map(({ id }) => id);
  const verdict = missed.length === 0 ? `${figures.length} figures met` : `missed: ${missed.join(', ')}`;
  return `all  ${verdict} | ${Math.round(seconds)} s`;
};

/** The page: a headline, and a table of the figures of each group. */
export const pageOf = (board: BoardRecord): Promise<string> =>
  format(
    [
      '# Scoreboard',
      '',
      '<!-- Written by `npm run scoreboard` from scoreboard.json; do not edit. -->',
      '',
      'Every figure is played from seeds, in virtual time and without sockets unless it says otherwise, by the client that is',
      'published. Its name is the argument of `npm run scoreboard -- NAME` and of `npm run replay -- NAME --seed N`; a failing',
      'schedule prints the command that plays it again, for example',
      '`npm run replay -- random-fault-schedules --seed 788 --jobs 0,1,2 --faults 0,1`. Both commands take the numbers that',
      'figures had before (S1, W1, G1, D1) as well. The letters and numbers of [failure modes](failure-modes.md) are other ids. I1 to',
      'I14 in a target are invariants, which `test/simulation/invariants` checks after each run.',
      '',
      `> ${headlineOf(board)}`,
      ...groups.flatMap(([group, title]) =>
        tableOf(
          title,
          board.figures.filter((line) => line.group === group),
        ),
      ),
      '',
      `All in ${Math.round(board.seconds)} s. promptwire ${board.versions.promptwire}, Node ${board.versions.node}, ${board.versions.processor}, ${board.versions.cores} cores.`,
    ].join('\n'),
    { parser: 'markdown', printWidth: 110 },
  );

const groups: readonly (readonly [Group, string])[] = [
  ['client', 'The client: `npm run scoreboard`'],
  ['workflow', 'Workflow files: `npm run scoreboard -- workflow --keep`'],
  ['gateway', 'The gateway: `npm run scoreboard -- gateway --keep`'],
  ['queue', 'The queue: `npm run scoreboard -- queue --keep`'],
  ['pool', 'Pools of servers: `npm run scoreboard -- pool --keep`'],
];

const tableOf = (title: string, figures: readonly FigureRecord[]): readonly string[] => [
  '',
  `## ${title}`,
  '',
  '| figure | what | target | reached | seeds | seconds | |',
  '| --- | --- | --- | --- | --- | ---: | --- |',
  ...[...figures]
    .sort((one, other) => one.id.localeCompare(other.id, 'en'))
    .map((line) =>
      row([
        `\`${line.id}\``,
        line.what,
        line.target,
        reached(line),
        line.seeds,
        line.seconds.toFixed(1),
        met(line),
      ]),
    ),
];

/** The line that the README carries as well. */
export const headlineOf = ({ figures }: Pick<BoardRecord, 'figures'>): string => {
  const of = (id: string, name: string): string => {
    const count = figures.find((line) => line.id === id)?.counts[name];
    return count === undefined ? 'unknown' : grouped(count);
  };
  return [
    `${of('random-fault-schedules', 'schedules')} random fault schedules`,
    `${of('random-fault-schedules', 'virtual hours')} hours of virtual time`,
    `${of('true-outcomes', 'lost')} lost, ${of('true-outcomes', 'wrong')} wrong and ${of('true-outcomes', 'doubled')} doubled outcomes of ${of('true-outcomes', 'jobs')} jobs`,
    `${of('no-duplicate-submissions', 'duplicates')} double submissions of ${of('no-duplicate-submissions', 'submissions')}`,
    `${of('no-leaks', 'left')} sockets or timers left after ${of('no-leaks', 'lifecycles')} jobs`,
    `${of('hostile-frames', 'frames')} hostile frames, ${of('hostile-frames', 'throws')} throws`,
    `key found ${of('no-secret-shown', 'hits')} times`,
  ].join(' · ');
};

/** The README with the headline of this board in place of the one that it has. */
export const withHeadline = (readme: string, board: BoardRecord): string =>
  readme.replace(/^> .*random fault schedules.*$/mu, `> ${headlineOf(board)}`);

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const met = ({ problems }: FigureRecord): string => (problems.length === 0 ? 'met' : 'MISSED');

const reached = ({ counts }: FigureRecord): string =>
  Object.entries(counts)
    .map(([name, count]) => `${grouped(count)} ${name}`)
    .join(', ');

const grouped = (count: number): string =>
  count.toLocaleString('en-US', { maximumFractionDigits: Math.abs(count) < 100 ? 1 : 0 });
