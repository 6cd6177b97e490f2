import type { Figure, Range, Tally } from './figure.js';
import { judgeWebhooks } from './gateway/judge-webhooks.js';
import { playWebhooks } from './gateway/play-webhooks.js';
import { randomOf } from '../simulation/random.js';
import { tryWall, webhookWalls } from './gateway/webhook-walls.js';

/** Each job sends four messages at least. */
const [wholeCount, kills] = [260, 4];
/** Of a wall's six tries, the first of the rebinding leads to a public address. */
const refusedOfEach = 5;

/** Webhooks. */
export const webhooks: Figure = {
  id: 'webhooks',
  what: `webhooks to the ${webhookWalls.length} addresses of the figure no-internal-addresses, as they stand, behind a name, among public addresses and by rebinding (injected look-up and connect); and those of ${wholeCount} jobs to a target that refuses, answers 500, 429 or a redirect, cuts, stays silent or is slow, from a gateway that is killed ${kills} times and started again on its files (real processes)`,
  target:
    '0 connections to an address that is not public; each of ≥ 1,000 messages arrives at least once, under one id, with a signature that verifies, in the order of its job',
  count: wholeCount,
  splits: false,
  run: (range) => deliverAll(range),
  shortfalls: ({ counts }, count) =>
    count < wholeCount || (counts['messages'] ?? 0) >= 1_000
      ? []
      : [`only ${counts['messages'] ?? 0} messages`],
};

/** Tries a share of the walls, and delivers the messages of so many jobs. */
export const deliverAll = async ({ from, count }: Range): Promise<Tally> => {
  const walls = webhookWalls.slice(0, Math.ceil((webhookWalls.length * count) / wholeCount));
  const problems: string[] = [];
  let [attempts, connections] = [0, 0];
  for (const wall of walls) {
    const tried = await tryWall(wall);
    attempts += tried.attempts;
    connections += tried.connections;
    if (tried.connections > 0 || tried.refused !== refusedOfEach)
      problems.push(`${wall.join(' at ')}: ${tried.refused} of ${refusedOfEach} tries were refused`);
  }
  const played = await playWebhooks(count, count < wholeCount ? 1 : kills, randomOf(from, 8));
  problems.push(...judgeWebhooks(played));
  const messages = new Set(played.arrived.map(({ id }) => id)).size;
  return {
    counts: {
      walls: walls.length,
      'tries of walls': attempts,
      'connections to non-public addresses': connections,
      messages,
      'tries of messages': played.arrived.length,
      violations: problems.length,
    },
    problems: problems.map((problem) => `${problem}; npm run scoreboard -- webhooks`),
  };
};
