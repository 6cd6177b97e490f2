import { allScenarios } from '../sdk/all-scenarios.js';
import { reasonToLeaveOut, upstreamDialects } from '../sdk/gateway-left-out.js';
import { gatewayTarget } from '../sdk/gateway-target.js';
import { playScenarios } from '../sdk/play-scenarios.js';
import type { DisposableTarget } from '../sdk/target.js';
import type { Dialect } from '../../src/index.js';
import type { Figure, Range, Tally } from './figure.js';

/** One scenario over one dialect for each seed. */
const cases = allScenarios
  .flatMap((scenario) => upstreamDialects.map((dialect) => ({ ...scenario, dialect })))
  .map((one, at) => ({ ...one, seed: at + 1, reason: reasonToLeaveOut(one.number, one.dialect) }));

/** The vendor's SDK as it is published, against the gateway over each dialect. */
export const sdkThroughTheGateway: Figure = {
  id: 'sdk-through-the-gateway',
  what: `the SDK's ${allScenarios.length} scenarios through the gateway over ${upstreamDialects.join(', ')} (real sockets)`,
  target: 'all that a dialect can carry pass; the others are those of the table, each with its reason',
  count: cases.length,
  splits: true,
  run: (range) => playSdk(range),
  shortfalls: ({ counts }, count) => {
    const accounted = (counts['played'] ?? 0) + (counts['left out'] ?? 0);
    return accounted === count ? [] : [`${accounted} of ${count} were played or left out`];
  },
};

/** Plays a range of the cases, a few at a time; `start` may give another server. */
export const playSdk = async (
  { from, count }: Range,
  start: (dialect: Dialect) => Promise<DisposableTarget> = (dialect) => gatewayTarget(dialect)(),
): Promise<Tally> => {
  const counts = { scenarios: 0, played: 0, 'left out': 0, failed: 0 };
  const problems: string[] = [];
  const own = cases.slice(from - 1, from - 1 + count);
  const outcomes = await playScenarios(own, ({ dialect }) => start(dialect));
  for (const one of own) {
    const parts = outcomes.filter(({ scenario }) => scenario === one).map(({ outcome }) => outcome);
    const expected = one.reason === undefined ? 'passed' : 'left out';
    const wrong = parts.filter((outcome) => outcome !== expected);
    counts.scenarios += 1;
    if (parts.length > 0 && wrong.length === 0) counts[expected === 'passed' ? 'played' : expected] += 1;
    else counts.failed += 1;
    problems.push(
      ...wrong.map(
        (outcome) =>
          `${one.number} over ${one.dialect}, to be ${expected}: ${String(outcome)}; npm run replay -- sdk-through-the-gateway --seed ${one.seed}`,
      ),
    );
  }
  return { counts, problems };
};
