import { durations } from '../../core/estimate/durations.js';
import type { Work } from './work.js';

/** What a pool has learned of how long its servers take. */
export interface RunTimes {
  /** What a server is expected to take for such work, without loading; in milliseconds. */
  readonly runMs: (server: string, work: Work) => number;
  /** What it is expected to take to load the models of the work that its last job did not use. */
  readonly loadMs: (server: string, work: Work, loaded: readonly string[]) => number;
  /** Learns how long a run took in all, on a server whose last job used these models. */
  readonly learn: (server: string, work: Work, loaded: readonly string[], ms: number) => void;
  /** How quick a server is, beside the others: 1 is as quick as the first one that was measured. */
  readonly speedOf: (server: string) => number;
}

/**
 * Learns from each run: of the same work on the same server, else of the same work elsewhere and the speed of this server, else of the
 * size that the inputs name and of what such sizes have taken; before the first run it is a guess.
 */
export const runTimes = (): RunTimes => {
  const known = durations(maxKept);
  const ms = (key: string): number | undefined => known.get(key)?.ms;
  const speedOf = (server: string): number => ms(`speed ${server}`) ?? 1;
  const scale = (): number => ms('scale') ?? 1;
  /** What the work takes on a server of speed 1; of work that was only run with loading, its guessed share of that. */
  const reference = (work: Work): number =>
    ms(`run ${work.shape}`) ?? ms(`cold ${work.shape}`) ?? work.guessMs * scale();

  const runMs = (server: string, work: Work): number =>
    ms(`run ${server}\n${work.shape}`) ?? reference(work) / speedOf(server);
  const loadOf = (server: string, model: string, work: Work): number =>
    ms(`load ${server}\n${model}`) ?? ms(`load ${model}`) ?? ms('load') ?? work.guessLoadMs;

  const learnRun = (server: string, work: Work, took: number): void => {
    const before = ms(`run ${work.shape}`);
    if (before !== undefined) known.add(`speed ${server}`, before / Math.max(1, took));
    known.add('scale', (took * speedOf(server)) / work.guessMs, { memory: 50 });
    known.add(`run ${work.shape}`, took * speedOf(server), { memory: 20 });
    known.add(`run ${server}\n${work.shape}`, took);
  };

  /** Once the run alone is known, the rest of the time was loading; until then each has its guessed share. */
  const learnLoad = (server: string, work: Work, models: readonly string[], took: number): void => {
    const guessed = work.guessMs / (work.guessMs + work.guessLoadMs * models.length);
    if (ms(`run ${work.shape}`) === undefined)
      known.add(`cold ${work.shape}`, took * guessed * speedOf(server), { memory: 20 });
    const each = Math.max(0, took - runMs(server, work)) / models.length;
    for (const key of models.flatMap((model) => [`load ${server}\n${model}`, `load ${model}`]))
      known.add(key, each);
    known.add('load', each, { memory: 20 });
  };

  const loadMs: RunTimes['loadMs'] = (server, work, loaded) =>
    missing(work, loaded).reduce((all, model) => all + loadOf(server, model, work), 0);

  return {
    runMs,
    loadMs,
    learn: (server, work, loaded, took) => {
      const models = missing(work, loaded);
      if (models.length === 0) learnRun(server, work, took);
      else learnLoad(server, work, models, took);
    },
    speedOf,
  };
};

/** How many durations are kept: more than 300 servers with 30 kinds of work each have. */
const maxKept = 20_000;

const missing = ({ models }: Work, loaded: readonly string[]): readonly string[] =>
  models.filter((model) => !loaded.includes(model));
