import type { Tally } from './figure.js';
import { cutProblem, drawCut } from './real/cut-submission.js';
import { inParallel } from '../helpers/in-parallel.js';
import { judgeReal } from './real/judge-real.js';
import { watchHandles } from './real/open-handles.js';
import { playReal, type PlayOptions } from './real/play-real.js';

/** `no-duplicate-submissions` on real sockets: the submissions of these seeds, the twelve points in turn. */
export const realCuts = async (seeds: readonly number[], options?: PlayOptions): Promise<Tally> => {
  const leftByProcess = watchHandles();
  const counts = {
    'on real sockets': 0,
    'accepted there': 0,
    'duplicates there': 0,
    'typed unknown there': 0,
    'sent again there': 0,
    'violations there': 0,
  };
  const problems: string[] = [];
  await inParallel(seeds, atOnce, async (seed) => {
    const { plan, expected } = drawCut(seed);
    const run = await playReal(plan, options);
    const problem = cutProblem(run, expected) ?? judgeReal(run)[0];
    counts['on real sockets'] += 1;
    counts['accepted there'] += run.ledger.jobs.length;
    if (run.ledger.jobs.length > 1) counts['duplicates there'] += 1;
    if (expected === 'unknown' && problem === undefined) counts['typed unknown there'] += 1;
    if (expected === 'sent again' && problem === undefined) counts['sent again there'] += 1;
    if (problem === undefined) return;
    counts['violations there'] += 1;
    problems.push(
      `${plan.strikes[0]!.kind}: ${problem}; npm run replay -- no-duplicate-submissions --real --seed ${seed}`,
    );
  });
  return { counts, problems: [...problems, ...(await leftByProcess())] };
};

/** So many submissions wait for their deadlines at a time. */
const atOnce = 32;
