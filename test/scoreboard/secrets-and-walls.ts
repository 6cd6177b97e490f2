import { encodings } from '../helpers/needles.js';
import type { Figure, Range, Tally } from './figure.js';
import { showSecrets } from './gateway/secret-jobs.js';
import { tryWalls } from './gateway/wall-tries.js';

const dialects = ['cloud', 'local', 'v2'] as const;

/** What the gateway may show nobody, and what it may show to its owner alone. */
export const secretsAndWalls: Figure = {
  id: 'secrets-and-walls',
  what: 'all answers, streams, log lines and errors of gateways whose services repeat the key, a partner key and signed addresses; tries at other callers’ jobs by ids, guesses, watch tokens, foreign pages and hosts, POST without JSON',
  target: `0 secrets in ${encodings} encodings; all of 10,000 tries refused, and as what does not exist is`,
  count: 10_000,
  splits: true,
  run: (range) => guard(range),
  shortfalls: ({ counts }, count) => [
    ...(counts['tries'] === count ? [] : [`${counts['tries'] ?? 0} of ${count} were tried`]),
    ...((counts['jobs with secrets'] ?? 0) < 100 ? ['few jobs had secrets'] : []),
  ],
};

/** Tries a range of ways in; the first range looks for secrets as well. */
export const guard = async (range: Range): Promise<Tally> => {
  const walls = await tryWalls(range);
  const counts = { tries: walls.tries, 'got in': walls.problems.length };
  if (range.from !== 1) return { counts, cells: walls.kinds, problems: walls.problems };
  const secrets = await Promise.all(dialects.map((dialect) => showSecrets(dialect)));
  const sum = (of: (one: (typeof secrets)[number]) => number): number =>
    secrets.reduce((all, one) => all + of(one), 0);
  return {
    counts: {
      ...counts,
      'jobs with secrets': sum(({ jobs }) => jobs),
      answers: sum((one) => one.answers),
      'MiB searched': sum(({ bytes }) => bytes) / 2 ** 20,
      hits: sum(({ hits }) => hits),
    },
    cells: walls.kinds,
    problems: [...walls.problems, ...secrets.flatMap(({ problems }) => problems)],
  };
};
