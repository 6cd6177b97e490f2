import { drawCloud } from './engines/draw-cloud.js';
import { drawEngine } from './engines/draw-engine.js';
import type { Figure, Range, Tally } from './figure.js';
import type { GeneratedService } from './engines/generated-service.js';
import { inParallel } from '../helpers/in-parallel.js';
import { judgeEngine } from './engines/judge-engine.js';
import type { MakeClient } from '../simulation/play.js';
import { playEngine } from './engines/play-engine.js';
import { watchHandles } from './real/open-handles.js';

/** Engines that others run: any release, limits, refusals, speeds and kinds of output, with strangers beside the client. */
export const generatedEngines: Figure = {
  id: 'generated-engines',
  what: 'generated local engines of six releases (0.3.40 to the newest), with limits, refusals, losses, outputs of every shape and jobs of strangers, on real sockets by a faster clock; a ledger of their own judges',
  target:
    '0 wrong ends, 0 lost outputs, 0 jobs of strangers touched on 1,000 engines; the window of old engines, whose interrupt takes no id, is counted apart',
  count: 1_000,
  splits: true,
  run: (range) => playEngines(range),
};

/** The cloud of both years, likewise; strangers are other programs of the same account. */
export const generatedClouds: Figure = {
  id: 'generated-clouds',
  what: 'generated cloud services of both years (2026 and 2026-11), with plans, limits, refusals, losses, outputs of every shape and jobs of other programs of the account, on real sockets by a faster clock; a ledger of their own judges',
  target: '0 wrong ends, 0 lost outputs, 0 jobs of strangers touched on 500 services',
  count: 500,
  splits: true,
  run: (range) => playClouds(range),
};

/** Each waits most of the time, and a cloud service longer than an engine. */
const atOnce = { engines: 8, services: 32 };

/** Plays the engines of a range of seeds. */
export const playEngines = async (range: Range, makeClient?: MakeClient): Promise<Tally> => {
  const { inTheWindow, ...tally } = await playServices(
    range,
    { what: 'engines', id: generatedEngines.id, draw: drawEngine },
    makeClient,
  );
  return {
    ...tally,
    counts: { ...tally.counts, 'strangers in the window of old engines': inTheWindow },
  };
};

/** Plays the cloud services of a range of seeds. */
export const playClouds = async (range: Range, makeClient?: MakeClient): Promise<Tally> => {
  const { counts, problems } = await playServices(
    range,
    { what: 'services', id: generatedClouds.id, draw: drawCloud },
    makeClient,
  );
  return { counts, problems };
};

/** What a figure plays. */
interface Played {
  readonly what: keyof typeof atOnce;
  readonly id: string;
  readonly draw: (seed: number) => GeneratedService;
}

const playServices = async (
  { from, count }: Range,
  { what, id, draw }: Played,
  makeClient?: MakeClient,
): Promise<Tally & { readonly inTheWindow: number }> => {
  const leftByProcess = watchHandles();
  const seeds = Array.from({ length: count }, (_, index) => from + index);
  const played = await inParallel(seeds, atOnce[what], async (seed) => {
    const run = await playEngine(draw(seed), makeClient);
    const jobs = run.told.length;
    return { seed, jobs, verdict: judgeEngine(run) };
  });
  const sum = (of: (one: (typeof played)[number]) => number): number =>
    played.reduce((total, one) => total + of(one), 0);
  const problems = played.flatMap(({ seed, verdict: { wrongEnds, lostOutputs, touched, left } }) =>
    [...wrongEnds, ...lostOutputs, ...touched, ...left].map(
      (problem) => `${problem}; npm run replay -- ${id} --seed ${seed}`,
    ),
  );
  return {
    counts: {
      [what]: count,
      jobs: sum(({ jobs }) => jobs),
      'wrong ends': sum(({ verdict }) => verdict.wrongEnds.length),
      'lost outputs': sum(({ verdict }) => verdict.lostOutputs.length),
      'strangers touched': sum(({ verdict }) => verdict.touched.length),
      'pictures of sockets': sum(({ verdict }) => verdict.socketPictures),
      'pictures that lost sockets took': sum(({ verdict }) => verdict.missedPictures),
      'untraceable submissions': sum(({ verdict }) => verdict.unknown),
    },
    problems: [...problems, ...(await leftByProcess())],
    inTheWindow: sum(({ verdict }) => verdict.inTheWindow),
  };
};
