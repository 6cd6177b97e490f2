import type { Figure, Range, Tally } from './figure.js';
import { type Outage, outages, playOutages } from './queue/play-outages.js';
import { type QueueService, queueServices, serviceName } from './queue/busy-queue.js';
import { randomOf } from '../simulation/random.js';

const count = 72;
/** So soon after the return of the store have 12 more jobs begun, on a machine that does nothing else. */
const backWithinMs = 10_000;

/** A store that is away. */
export const storeAway: Figure = {
  id: 'store-away',
  what: 'a Redis server killed by SIGKILL and started again on its file, at once, after 4 s and after 60 s, once with a worker that dies meanwhile, with its scripts flushed, behind a slow connection, and where it is a replica (READONLY), lacks replicas (NOREPLICAS) or snapshots (MISCONF), or stands still for 4 s; three workers run jobs, over each dialect, and over three servers of which each worker brings two (real processes)',
  target:
    'the workers go on each time: 12 more jobs have begun within 10 s of its return; every job ends once: 0 extra paid runs, 0 lost; unknown: 0 for local and v2, counted for cloud; each on the server that its record names, 0 over its slots',
  count,
  splits: false,
  mostlyWaits: true,
  run: (range) => playStoreAway(range),
  shortfalls: ({ counts }, asked) => [
    ...(counts['outages'] === asked ? [] : [`${counts['outages'] ?? 0} of ${asked} outages`]),
    ...(asked < count || (counts['longest ms until they go on'] ?? Infinity) <= backWithinMs
      ? []
      : [`the workers went on after ${counts['longest ms until they go on']?.toFixed(0)} ms`]),
    ...(asked < count || counts['minute'] === queueServices.length ? [] : ['not away for a minute each']),
  ],
};

/** Plays so many outages, a share of them over each service at the same time. */
export const playStoreAway = async ({ from, count: asked }: Range): Promise<Tally> => {
  const counts: Record<string, number> = {
    ...{ outages: 0, jobs: 0, 'unknown of cloud': 0 },
    'longest ms until they go on': 0,
  };
  const problems: string[] = [];
  const play = async (service: QueueService, nth: number): Promise<void> => {
    const share = Math.floor((asked + nth) / queueServices.length);
    if (share === 0) return;
    const list = Array.from({ length: share }, (_, place): Outage =>
      asked >= count && place === share - 1 ? 'minute' : outages[(place + nth) % outages.length]!,
    );
    const {
      jobs,
      unknown,
      longestMs,
      problems: found,
    } = await playOutages(service, list, randomOf(from, nth));
    for (const outage of list) counts[outage] = (counts[outage] ?? 0) + 1;
    counts['outages']! += list.length;
    counts['jobs']! += jobs;
    counts['longest ms until they go on'] = Math.max(counts['longest ms until they go on']!, longestMs);
    if (service.dialect === 'cloud') counts['unknown of cloud']! += unknown;
    else if (unknown > 0) problems.push(`${serviceName(service)}: ${unknown} unknown`);
    problems.push(...found);
  };
  await Promise.all(queueServices.map(play));
  return { counts, problems: problems.map((problem) => `${problem}; npm run scoreboard -- store-away`) };
};
