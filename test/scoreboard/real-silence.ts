import type { Tally } from './figure.js';
import { inParallel } from '../helpers/in-parallel.js';
import { judgeReal } from './real/judge-real.js';
import { watchHandles } from './real/open-handles.js';
import type { PlayOptions } from './real/play-real.js';
import { drawSilence, playSilence } from './real/silent-line.js';

/** `silent-connections` on real sockets, by a clock that runs faster than real time: the silent lines of these seeds. */
export const realSilence = async (seeds: readonly number[], options?: PlayOptions): Promise<Tally> => {
  const leftByProcess = watchHandles();
  const problems: string[] = [];
  let [outcome, replacement] = [0, 0];
  await inParallel(seeds, seeds.length, async (seed) => {
    const { run, outcomeMs, replacedMs = 0 } = await playSilence(drawSilence(seed), options);
    outcome = Math.max(outcome, outcomeMs);
    replacement = Math.max(replacement, replacedMs);
    const violation = replacedMs === Infinity ? 'a half-open line was never given up' : judgeReal(run)[0];
    if (violation !== undefined)
      problems.push(`${violation}; npm run replay -- silent-connections --real --seed ${seed}`);
  });
  problems.push(...(await leftByProcess()));
  return {
    counts: {
      'on real sockets': seeds.length,
      'longest s to an outcome there': outcome / 1000,
      'longest s to a new socket there': replacement / 1000,
      'violations there': problems.length,
    },
    problems,
  };
};
