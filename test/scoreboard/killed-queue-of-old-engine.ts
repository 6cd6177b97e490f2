import type { Figure, Range, Tally } from './figure.js';
import { playKills } from './queue/play-kills.js';
import { randomOf } from '../simulation/random.js';

const kills = 120;

/** Processes of a queue that are killed, where the service makes ids of its own. */
export const killedQueueOfOldEngine: Figure = {
  id: 'killed-queue-of-old-engine',
  what: 'processes of a queue killed by SIGKILL as in `killed-queue-processes`, over a local server of engine 0.3.40, which ignores the ids of submissions, so that a lost answer is made up for by the workflow (real Redis server, real processes)',
  target: 'every job ends once: 0 extra paid runs, 0 lost, 0 unknown',
  count: kills,
  splits: false,
  run: (range) => killQueueOfOldEngine(range),
  shortfalls: ({ counts }, count) =>
    counts['kills'] === count ? [] : [`${counts['kills'] ?? 0} of ${count} kills`],
};

const killQueueOfOldEngine = async ({ from, count }: Range): Promise<Tally> => {
  const service = { dialect: 'local', engine: '0.3.40' } as const;
  const { kills: killed, jobs, unknown, points, problems } = await playKills(service, count, randomOf(from));
  return {
    counts: { kills: killed, jobs, ...points },
    problems: [...problems, ...(unknown > 0 ? [`${unknown} unknown`] : [])].map(
      (problem) => `${problem}; npm run scoreboard -- killed-queue-of-old-engine`,
    ),
  };
};
