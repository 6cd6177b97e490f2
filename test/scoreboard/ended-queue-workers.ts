import type { Figure, Range, Tally } from './figure.js';
import { queueServices, serviceName } from './queue/busy-queue.js';
import { playTerms } from './queue/play-terms.js';
import { randomOf } from '../simulation/random.js';

const exits = 136;
/** What a worker has to end, beyond its grace of half a second: its answer to a submission, and its connections. */
const withinMs = 10_000;

/** Workers of a queue that are told to end. */
export const endedQueueWorkers: Figure = {
  id: 'ended-queue-workers',
  what: 'workers of a queue ended by SIGTERM while they run jobs, three at work at any time, over each dialect, and over three servers of which each worker brings two, on a real Redis server (real processes)',
  target: `each exits with 0 within ${withinMs / 1000} s; every job ends once: 0 extra paid runs, 0 lost, 0 unknown`,
  count: exits,
  splits: false,
  run: (range) => endWorkers(range),
  shortfalls: ({ counts }, count) =>
    counts['exits'] === count ? [] : [`${counts['exits'] ?? 0} of ${count} exits`],
};

/** Ends so many workers, a share of them over each service. */
export const endWorkers = async ({ from, count }: Range): Promise<Tally> => {
  const ms: number[] = [];
  const problems: string[] = [];
  let jobs = 0;
  for (const [nth, service] of queueServices.entries()) {
    const share = Math.floor((count + nth) / queueServices.length);
    if (share === 0) continue;
    const played = await playTerms(service, share, randomOf(from, nth));
    jobs += played.jobs;
    ms.push(...played.ms);
    problems.push(...played.problems);
    if (played.unknown > 0) problems.push(`${serviceName(service)}: ${played.unknown} unknown`);
  }
  const late = ms.filter((each) => each > withinMs).length;
  if (late > 0) problems.push(`${late} exits took longer than ${withinMs} ms`);
  const counts = { exits: ms.length, jobs, 'slowest exit in ms': Math.round(Math.max(0, ...ms)) };
  return {
    counts,
    problems: problems.map((problem) => `${problem}; npm run scoreboard -- ended-queue-workers`),
  };
};
