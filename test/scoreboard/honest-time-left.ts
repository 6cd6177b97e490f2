import type { Figure, Range, Tally } from './figure.js';
import { type JobRun, playTwice } from './honest/play-twice.js';
import { type MakeProgress, median, type Moment } from './honest/play-job.js';
import { progress } from '../../src/core/operators/progress.js';
import { randomOf } from '../simulation/random.js';

/** What a way to show a job tells at one moment. */
type Way = (moment: Moment) => { readonly value: number; readonly leftMs: number | undefined };

const byPace = (value: number, passedMs: number): ReturnType<Way> => ({
  value,
  leftMs: value > 0 ? (passedMs * (1 - value)) / value : undefined,
});

const own: Way = ({ shown }) => ({ value: shown.value, leftMs: shown.timeLeftMs });

const atBest: Way = ({ atBest: { value, timeLeftMs } }) => ({ value, leftMs: timeLeftMs });

/** What others show. */
const others: Readonly<Record<string, Way>> = {
  'mean of nodes': ({ state, passedMs }) => byPace(state.progress, passedMs),
  'steps of the node': ({ state, nodeMs }) => {
    const node = Object.values(state.nodes).find(({ phase }) => phase === 'running');
    return byPace(node?.fraction ?? 0, nodeMs);
  },
};

/** Time left and bar of generated jobs. */
export const honestTimeLeft: Figure = {
  id: 'honest-time-left',
  what:
    'time left and bar of jobs on generated machines: graphs of 3 to 200 nodes (samplers, upscalers, videos, nodes of other packages), each of them twice, ' +
    'the second time with cached parts, by clients that have run up to eight other jobs; durations by a model that shares no code with the operator, ' +
    'on seeds by which none of its values was chosen',
  target:
    'time left from 25 to 75 % of the run: median error of a first run ≤ 25 %, of a second ≤ 12 %; the bar from 25 % on at every moment within 0.15 of the true share in ≥ 95 % of all runs; never decreases, 1 only at the end',
  count: 1_000,
  splits: false,
  run: (range) => Promise.resolve(playJobs(range)),
  shortfalls: ({ counts }) => [
    ...(counts['% off, first run']! <= 25 ? [] : ['the time left of first runs is too far off']),
    ...(counts['% off, second run']! <= 12 ? [] : ['the time left of second runs is too far off']),
    ...(counts['% honest bars']! >= 95 ? [] : ['the bars are too far off']),
  ],
};

/** The stream of the recorded seeds. The operator's values were chosen on other streams. */
const heldOut = 2_037;

/** Plays each job of a range twice. */
export const playJobs = ({ from, count }: Range, makeProgress: MakeProgress = progress): Tally => {
  const runs = Array.from({ length: count }, (_, nth) =>
    playTwice(randomOf(from + nth, heldOut), makeProgress),
  );
  const [first, second] = [runs.map(([run]) => run), runs.map(([, run]) => run)];
  const of = (way: Way) => ({
    first: percent(median(first.flatMap(({ moments }) => errors(moments, way)))),
    second: percent(median(second.flatMap(({ moments }) => errors(moments, way)))),
    firstBars: shareOf(first, ({ moments }) => isHonest(moments, way)),
    secondBars: shareOf(second, ({ moments }) => isHonest(moments, way)),
  });
  const { first: firstOff, second: secondOff, firstBars, secondBars } = of(own);
  const all = [...first, ...second];
  const withTime = all.flatMap(({ moments }) =>
    moments.filter(({ shown }) => shown.timeLeftMs !== undefined),
  );
  return {
    counts: {
      runs: all.length,
      '% off, first run': firstOff,
      '% off, second run': secondOff,
      '% honest bars, first run': firstBars,
      '% honest bars, second run': secondBars,
      '% honest bars at best, first run': of(atBest).firstBars,
      '% honest bars': shareOf(all, ({ moments }) => isHonest(moments, own)),
      '% honest bars, first run of known packages': shareOf(
        first.filter(({ isKnown }) => isKnown),
        ({ moments }) => isHonest(moments, own),
      ),
      '% honest moments of bars': shareOf(
        all.flatMap(({ moments }) => judged(moments)),
        isClose(own),
      ),
      '% of moments within the most': shareOf(withTime, isWithinTheMost),
      '% off while waiting': percent(median(all.flatMap(({ waiting }) => waiting.flatMap(waitingError)))),
      ...Object.fromEntries(
        Object.entries(others).flatMap(([name, way]) => {
          const other = of(way);
          return [
            [`% off by ${name}, first run`, other.first],
            [`% off by ${name}, second run`, other.second],
            [`% honest bars by ${name}`, (other.firstBars + other.secondBars) / 2],
          ];
        }),
      ),
    },
    problems: runs.flatMap((pair, nth) =>
      pair.flatMap(problemsOf).map((problem) => `seed ${from + nth}: ${problem}`),
    ),
  };
};

/** The errors of the time left from a quarter to three quarters of a run; none at all counts as wrong by all of it. */
const errors = (moments: readonly Moment[], way: Way): readonly number[] =>
  moments
    .filter(({ share }) => share >= 0.25 && share <= 0.75)
    .map((moment) => {
      const { leftMs } = way(moment);
      return leftMs === undefined ? 1 : Math.abs(leftMs - moment.leftMs) / moment.leftMs;
    });

const judged = (moments: readonly Moment[]): readonly Moment[] =>
  moments.filter(({ share }) => share >= 0.25);

const isClose =
  (way: Way) =>
  (moment: Moment): boolean =>
    Math.abs(way(moment).value - moment.share) <= 0.15;

const isHonest = (moments: readonly Moment[], way: Way): boolean => judged(moments).every(isClose(way));

const isWithinTheMost = ({
  shown: { timeLeftMs = 0, timeLeftMaxMs = 1.3 * timeLeftMs },
  leftMs,
}: Moment): boolean => leftMs <= timeLeftMaxMs;

const waitingError = ({ shown: { timeLeftMs }, leftMs }: Moment): readonly number[] =>
  timeLeftMs === undefined ? [] : [Math.abs(timeLeftMs - leftMs) / leftMs];

const problemsOf = ({ values, stages }: JobRun): readonly string[] => [
  ...(values.some((value, index) => index > 0 && value < values[index - 1]!) ? ['the bar went back'] : []),
  ...(values.slice(0, -1).some((value) => value >= 1) ? ['the bar was full before the end'] : []),
  ...(values.at(-1) === 1 ? [] : ['the bar was not full at the end']),
  ...(stages.at(-1) === 'ended' ? [] : ['the stage was not the last one at the end']),
];

const percent = (share: number): number => Math.round(1000 * share) / 10;

const shareOf = <A>(list: readonly A[], is: (item: A) => boolean): number =>
  percent(list.filter(is).length / Math.max(1, list.length));
