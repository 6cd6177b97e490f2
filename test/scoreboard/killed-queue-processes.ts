import type { Figure, Range, Tally } from './figure.js';
import { killPoints } from './queue/kill-points.js';
import { queueServices, serviceName } from './queue/busy-queue.js';
import { playKills } from './queue/play-kills.js';
import { randomOf } from '../simulation/random.js';

const kills = 672;

/** Processes of a queue that are killed. */
export const killedQueueProcesses: Figure = {
  id: 'killed-queue-processes',
  what: `processes of a queue killed by SIGKILL at ${killPoints.length} named points, three at work at any time, over each dialect, and over three servers of which each process brings two, on a real Redis server (real processes)`,
  target:
    'every job ends once: 0 extra paid runs, 0 lost; unknown: 0 for local and v2, counted for cloud; each on the server that its record names, 0 over its slots',
  count: kills,
  splits: false,
  run: (range) => killQueues(range),
  shortfalls: ({ counts }, count) => [
    ...(counts['kills'] === count ? [] : [`${counts['kills'] ?? 0} of ${count} kills`]),
    ...(count < kills
      ? []
      : killPoints.filter((point) => (counts[point] ?? 0) === 0).map((point) => `no kill ${point}`)),
  ],
};

/** Kills so many processes, a share of them over each service. */
export const killQueues = async ({ from, count }: Range): Promise<Tally> => {
  const counts: Record<string, number> = { kills: 0, jobs: 0, 'unknown of cloud': 0 };
  const problems: string[] = [];
  for (const [nth, service] of queueServices.entries()) {
    const share = Math.floor((count + nth) / queueServices.length);
    if (share === 0) continue;
    const played = await playKills(service, share, randomOf(from, nth));
    counts['kills']! += played.kills;
    counts['jobs']! += played.jobs;
    if (service.dialect === 'cloud') counts['unknown of cloud']! += played.unknown;
    else if (played.unknown > 0) problems.push(`${serviceName(service)}: ${played.unknown} unknown`);
    for (const [point, hits] of Object.entries(played.points)) counts[point] = (counts[point] ?? 0) + hits;
    problems.push(...played.problems);
  }
  return {
    counts,
    problems: problems.map((problem) => `${problem}; npm run scoreboard -- killed-queue-processes`),
  };
};
