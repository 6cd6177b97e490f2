import type { Figure, Range, Tally } from './figure.js';
import { playCuts, type WrapFetch } from './gateway/play-cuts.js';

const cutsAtLeast = 10_000;
const worlds = 600;

/** Connections that are cut at every event, and go on by the id of the last one. */
export const resumedStreams: Figure = {
  id: 'resumed-streams',
  what: 'readers of jobs cut at every event and resumed by id, by header and address, in both vocabularies, SSE and NDJSON, of one job and of all, with the ports in memory and in files, restarts, logs that lost events, forged ids',
  target: '10,000 cuts: 0 silent gaps, 0 duplicates, each gap said and followed by a snapshot',
  count: worlds,
  splits: true,
  run: (range) => cutStreams(range),
  shortfalls: ({ counts }, count) =>
    count < worlds
      ? []
      : [
          ...((counts['cuts'] ?? 0) < cutsAtLeast ? [`only ${counts['cuts'] ?? 0} cuts`] : []),
          ...['forged', 'gaps said', 'restarts']
            .filter((what) => (counts[what] ?? 0) < 100)
            .map((what) => `few ${what}`),
        ],
};

/** Plays a range of worlds; `wrap` may plant a bug between the readers and the gateway. */
export const cutStreams = async ({ from, count }: Range, wrap?: WrapFetch): Promise<Tally> => {
  const counts = { worlds: 0, cuts: 0, events: 0, forged: 0, 'gaps said': 0, restarts: 0, violations: 0 };
  const problems: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const played = await playCuts(seed, wrap);
    counts.worlds += 1;
    counts.cuts += played.cuts;
    counts.events += played.events;
    counts.forged += played.forged;
    counts['gaps said'] += played.gaps;
    counts.restarts += played.restarts;
    counts.violations += played.problems.length;
    problems.push(
      ...played.problems.map((problem) => `${problem}; npm run replay -- resumed-streams --seed ${seed}`),
    );
  }
  return { counts, problems };
};
