import type { Figure, Range, Tally } from './figure.js';
import { submitAtOnce } from './gateway/same-key.js';

const dialects = ['cloud', 'local', 'v2'] as const;
const atOnce = 10_000;

/** Equal submissions at once. */
export const oneKeyOneJob: Figure = {
  id: 'one-key-one-job',
  what: '10,000 submissions with one key at once over each dialect, 500 of them on real sockets, half of them asking for a replay; another caller with the same key',
  target:
    '1 job of the service for each caller and key; the others get the first answer or the rejection of API v2',
  count: dialects.length * atOnce,
  splits: false,
  run: (range) => submitEqually(range),
  shortfalls: ({ counts }, count) =>
    counts['submissions'] === count ? [] : [`${counts['submissions'] ?? 0} of ${count} were submitted`],
};

/** Submits a third of the range over each dialect. */
export const submitEqually = async ({ count }: Range): Promise<Tally> => {
  const counts = {
    submissions: 0,
    'over sockets': 0,
    keys: 0,
    'jobs of the service': 0,
    replayed: 0,
    refused: 0,
  };
  const problems: string[] = [];
  for (const dialect of dialects) {
    const played = await submitAtOnce(dialect, Math.ceil(count / dialects.length));
    counts.submissions += played.submissions;
    counts['over sockets'] += played.overSockets;
    counts.keys += 2;
    counts['jobs of the service'] += played.upstreamJobs;
    counts.replayed += played.replayed;
    counts.refused += played.refused;
    problems.push(...played.problems.map((problem) => `${problem}; npm run scoreboard -- one-key-one-job`));
  }
  return { counts, problems };
};
