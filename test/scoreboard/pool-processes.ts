import type { Figure, Range, Tally } from './figure.js';
import { playProcesses, type Sharing } from './pool/play-processes.js';
import { randomOf } from '../simulation/random.js';

const sharings: readonly Sharing[] = ['one worker an engine', 'two workers an engine'];
/** Of each kind, over all sharings. */
const kills = 200;

/** Engines and workers of a queue over servers that are killed. */
export const poolProcesses: Figure = {
  id: 'pool-processes',
  what: `8 engines of one or two slots and 6 workers of a queue over servers, real processes on a real Redis server; while jobs wait ${kills} engines and ${kills} workers are killed by SIGKILL, half of them where one worker brings an engine, half where two do; judged by the engines' own ledgers`,
  target:
    'every job ends once as completed: 0 lost, 0 over the slots of an engine; a job runs again only where its engine was killed',
  count: kills,
  splits: false,
  run: killProcesses,
};

async function killProcesses({ from, count }: Range): Promise<Tally> {
  const counts = { 'killed engines': 0, 'killed workers': 0, jobs: 0, reruns: 0 };
  const problems: string[] = [];
  for (const [nth, sharing] of sharings.entries()) {
    const share = Math.floor((count + nth) / sharings.length);
    if (share === 0) continue;
    const played = await playProcesses(sharing, { kills: share, random: randomOf(from, nth) });
    counts['killed engines'] += played.killedEngines;
    counts['killed workers'] += played.killedWorkers;
    counts.jobs += played.jobs;
    counts.reruns += played.reruns;
    problems.push(...played.problems);
  }
  return { counts, problems: problems.map((problem) => `${problem}; npm run scoreboard -- pool-processes`) };
}
