import { drawSchedule } from '../simulation/draw-schedule.js';
import { judge } from '../simulation/invariants/index.js';
import { type MakeClient, play, type Played } from '../simulation/play.js';
import { randomOf } from '../simulation/random.js';
import type { Schedule } from '../simulation/schedule.js';
import { addTallies } from './add-tallies.js';
import { everyNth } from './every-nth.js';
import type { Figure, Range, Tally } from './figure.js';
import { watchProcess } from './process-health.js';
import { realSilence } from './real-silence.js';

const outcomeWithinMs = 60_000;
const replacedWithinMs = 40_000;

/** Lines that carry nothing more and do not say so, and those of every fiftieth seed on real sockets as well. */
export const silentConnections: Figure = {
  id: 'silent-connections',
  what: 'silent streams: half-open lines, and a service that only answers pings; 20 on real sockets, by a faster clock',
  target: 'half-open replaced ≤ 40 s; outcome ≤ 60 s after the end in 1,000 runs',
  count: 1_000,
  splits: true,
  run: async (range) => addTallies([await silentStreams(range), await realSilence(everyNth(range, 50))]),
  shortfalls: ({ counts }) => [
    ...((counts['longest s to an outcome there'] ?? 0) * 1000 <= outcomeWithinMs
      ? []
      : ['an outcome took too long']),
    ...((counts['longest s to a new socket there'] ?? 0) * 1000 <= replacedWithinMs
      ? []
      : ['a half-open line was kept too long']),
  ],
};

/** Plays the silent streams of a range of seeds. */
export const silentStreams = async ({ from, count }: Range, makeClient?: MakeClient): Promise<Tally> => {
  const seenByProcess = watchProcess();
  let [longestOutcome, longestReplacement] = [0, 0];
  const problems: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const played = await play(silentSchedule(seed), makeClient);
    const outcome = slowestOutcome(played);
    const replaced = replacementMs(played);
    longestOutcome = Math.max(longestOutcome, outcome);
    longestReplacement = Math.max(longestReplacement, replaced);
    const problem =
      outcome > outcomeWithinMs
        ? `an outcome took ${outcome} ms`
        : replaced > replacedWithinMs
          ? `a half-open line was kept for ${replaced} ms`
          : judge(played).violations[0];
    if (problem !== undefined)
      problems.push(`${problem}; npm run replay -- silent-connections --seed ${seed}`);
  }
  return {
    counts: {
      runs: count,
      'longest s to an outcome': longestOutcome / 1000,
      'longest s to a new socket': longestReplacement / 1000,
      violations: problems.length,
    },
    problems: [...problems, ...(await seenByProcess())],
  };
};

/** A few jobs whose socket falls silent while the first of them waits or runs. */
export const silentSchedule = (seed: number): Schedule => {
  const random = randomOf(seed, 10);
  const drawn = drawSchedule(seed, { maxJobs: 5, maxFaults: 0 });
  return {
    ...drawn,
    faults: [
      {
        index: 0,
        kind: random.pick(['line cut without a word', 'service falls silent but answers pings'] as const),
        job: 0,
        moment: random.pick(['accepted', 'answered', 'queued', 'started', 'ending'] as const),
        afterMs: random.between(0, 200),
        size: random.next(),
      },
      {
        index: 1,
        kind: 'job waits for long',
        job: 0,
        moment: 'accepted',
        afterMs: 0,
        size: random.next() / 3,
      },
    ],
  };
};

const slowestOutcome = ({ observed, backend }: Played): number =>
  Math.max(
    0,
    ...observed.watchers.map((watcher) => {
      const promptId = watcher.states.at(-1)?.promptId ?? '';
      const { endedAt = 0 } = backend.jobs.byId.get(promptId) ?? {};
      return (watcher.settledAt() ?? Infinity) - Math.max(endedAt, watcher.since);
    }),
  );

/** From the cut of the line to the moment at which the client gave it up. */
const replacementMs = ({ schedule, backend, connection }: Played): number => {
  const [cut] = backend.ledger.cuts;
  if (cut === undefined || schedule.platform === 'page') return 0;
  const wanted = connection.some(({ at, state }) => at > cut && state._tag === 'idle');
  const left = connection.find(({ at, state }) => at >= cut && state._tag !== 'open')?.at;
  return left === undefined || wanted ? 0 : left - cut;
};
