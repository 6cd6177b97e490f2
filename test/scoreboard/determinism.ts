import { createHash } from 'node:crypto';
import { drawSchedule } from '../simulation/draw-schedule.js';
import { play, type Played } from '../simulation/play.js';
import type { Figure } from './figure.js';

/** One seed, one trace. */
export const determinism: Figure = {
  id: 'determinism',
  what: 'determinism: the same seed twice, ledger and client hashed',
  target: 'identical traces, 100 of 100',
  count: 100,
  splits: false,
  run: async ({ from, count }) => {
    const problems: string[] = [];
    const seen = new Set<string>();
    for (let seed = from; seed < from + count; seed += 1) {
      const [one, other] = [traceOf(await play(drawSchedule(seed))), traceOf(await play(drawSchedule(seed)))];
      seen.add(one);
      if (one !== other) problems.push(`two traces; npm run replay -- random-fault-schedules --seed ${seed}`);
    }
    return {
      counts: { seeds: count, identical: count - problems.length, 'different among seeds': seen.size },
      problems: seen.size < count ? [...problems, 'seeds share a trace'] : problems,
    };
  },
};

/** A hash of everything that the service, the line and the watchers saw, with times. */
export const traceOf = ({ backend, observed, connection, endedAt }: Played): string => {
  const { requests, handshakes, accepted, hits } = backend.ledger;
  const watchers = observed.watchers.map(({ name, job, states, settledAt, error }) => [
    name,
    job,
    states,
    settledAt(),
    error() instanceof Error ? (error() as Error).message : error(),
  ]);
  const trace = [requests, handshakes, accepted, [...hits], watchers, connection, endedAt];
  return createHash('sha1').update(JSON.stringify(trace)).digest('hex');
};
