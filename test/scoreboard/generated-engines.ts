import { drawEngine } from './engines/draw-engine.js';
import type { Figure, Range, Tally } from './figure.js';
import { inParallel } from '../helpers/in-parallel.js';
import { judgeEngine } from './engines/judge-engine.js';
import type { MakeClient } from '../simulation/play.js';
import { playEngine } from './engines/play-engine.js';
import { watchHandles } from './real/open-handles.js';

/** Engines that others run: any release, limits, refusals, speeds and kinds of output, with strangers beside the client. */
export const generatedEngines: Figure = {
  id: 'generated-engines',
  what: 'generated local engines of six releases (0.3.40 to the newest), with limits, refusals, losses and jobs of strangers, on real sockets by a faster clock; a ledger of their own judges',
  target:
    '0 wrong ends, 0 lost outputs, 0 jobs of strangers touched on 1,000 engines; the window of old engines, whose interrupt takes no id, is counted apart',
  count: 1_000,
  splits: true,
  run: (range) => playEngines(range),
};

/** Each waits most of the time. */
const atOnce = 8;

/** Plays the engines of a range of seeds. */
export const playEngines = async ({ from, count }: Range, makeClient?: MakeClient): Promise<Tally> => {
  const leftByProcess = watchHandles();
  const seeds = Array.from({ length: count }, (_, index) => from + index);
  const played = await inParallel(seeds, atOnce, async (seed) => {
    const run = await playEngine(drawEngine(seed), makeClient);
    const jobs = run.told.length;
    return { seed, jobs, strangers: run.ledger.jobs.length - jobs, verdict: judgeEngine(run) };
  });
  const sum = (of: (one: (typeof played)[number]) => number): number =>
    played.reduce((total, one) => total + of(one), 0);
  const problems = played.flatMap(({ seed, verdict: { wrongEnds, lostOutputs, touched, left } }) =>
    [...wrongEnds, ...lostOutputs, ...touched, ...left].map(
      (problem) => `${problem}; npm run replay -- generated-engines --seed ${seed}`,
    ),
  );
  return {
    counts: {
      engines: count,
      jobs: sum(({ jobs }) => jobs),
      'wrong ends': sum(({ verdict }) => verdict.wrongEnds.length),
      'lost outputs': sum(({ verdict }) => verdict.lostOutputs.length),
      'strangers touched': sum(({ verdict }) => verdict.touched.length),
      'strangers in the window of old engines': sum(({ verdict }) => verdict.inTheWindow),
      'submissions that nobody can tell of': sum(({ verdict }) => verdict.unknown),
    },
    problems: [...problems, ...(await leftByProcess())],
  };
};
