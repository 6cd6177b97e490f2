import type { Figure, Range, Tally } from './figure.js';
import { buildCommand } from './command/build-command.js';
import { inParallel } from '../helpers/in-parallel.js';
import { judgeKill } from './gateway/judge-kill.js';
import { killMoments, playKill } from './gateway/kill-gateway.js';
import { randomOf } from '../simulation/random.js';
import type { SourceFile } from '../mutants/plant.js';

const dialects = ['local', 'v2', 'cloud'] as const;
const atOnce = 8;
/** Each has three submissions, some of which the kill prevents. */
const kills = 60;

/** Gateways that are killed. */
export const killedGateways: Figure = {
  id: 'killed-gateways',
  what: 'promptwire serve --data killed by SIGKILL while it submits, after its answer, while it streams, while it writes to its folder and while it starts again, and started again over the same service (real processes)',
  target:
    '100 of 100 that reached the service reach the true end, 0 jobs twice, 0 shown to others; resumed after the end: all that followed',
  count: kills,
  splits: false,
  run: (range) => killGateways(range),
  shortfalls: ({ counts }, count) =>
    count < kills
      ? []
      : [
          ...(counts['kills'] === count ? [] : [`${counts['kills'] ?? 0} of ${count} gateways came back`]),
          ...((counts['ended'] ?? 0) < 100 ? [`only ${counts['ended'] ?? 0} jobs`] : []),
          ...((counts['cut readers'] ?? 0) < 20 ? [`only ${counts['cut readers'] ?? 0} cut readers`] : []),
        ],
};

/** Kills one gateway for each seed of the range; some files of the source may be mutated, and the jobs have so long to end. */
export const killGateways = async (
  { from, count }: Range,
  mutated: readonly SourceFile[] = [],
  endsWithinMs?: number,
): Promise<Tally> => {
  const counts = {
    kills: 0,
    jobs: 0,
    ended: 0,
    'never arrived': 0,
    'cut readers': 0,
    resumed: 0,
    violations: 0,
  };
  const problems: string[] = [];
  await using built = await buildCommand(mutated);
  const seeds = Array.from({ length: count }, (_, at) => from + at);
  await inParallel(seeds, atOnce, async (seed) => {
    const dialect = dialects[seed % dialects.length]!;
    const moment = killMoments[seed % killMoments.length]!;
    const found: string[] = [];
    try {
      const played = await playKill(built.main, dialect, moment, randomOf(seed, 5), endsWithinMs);
      found.push(...judgeKill(played, dialect));
      counts.kills += 1;
      counts.jobs += played.listed.length;
      counts['never arrived'] += played.listed.filter(
        ({ mark }) => !played.ledger.some((entry) => entry.mark === mark),
      ).length;
      counts['cut readers'] += played.readers.length;
      counts.resumed += played.replays.reduce((sum, { tails }) => sum + tails.length, 0);
    } catch (error) {
      found.push(String(error));
    }
    counts.violations += found.length;
    problems.push(
      ...found.map(
        (problem) => `${dialect}, ${moment}: ${problem}; npm run replay -- killed-gateways --seed ${seed}`,
      ),
    );
  });
  counts.ended = counts.jobs - counts['never arrived'];
  return { counts, problems };
};
