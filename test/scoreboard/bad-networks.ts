import type { Figure, Range, Tally } from './figure.js';
import { watchProcess } from './process-health.js';
import { drawLine } from './real/draw-line.js';
import { inParallel } from '../helpers/in-parallel.js';
import { judgeReal } from './real/judge-real.js';
import { lineKinds } from './real/line-kinds.js';
import { watchHandles } from './real/open-handles.js';
import { playReal, type PlayOptions, type RealRun } from './real/play-real.js';

/** Real sockets on which everything goes wrong that a network and a peer can do. */
export const badNetworks: Figure = {
  id: 'bad-networks',
  what: 'jobs on real sockets: resets, ends without a close, blackholes, single bytes, bandwidth, latency, idle lines, TLS refused, illegal frames',
  target: '0 violations of I1–I7, I11, I14 in 2,000 runs',
  count: 2_000,
  splits: true,
  run: (range) => badLines(range),
  shortfalls: ({ cells = {} }) =>
    Object.keys(lineKinds)
      .filter((kind) => cells[kind] === undefined)
      .map((kind) => `never struck: ${kind}`),
};

/** So many runs wait for one another's intervals at a time. */
const atOnce = 40;

/** Plays the bad lines of a range of seeds against the emulator's ledger. */
export const badLines = async ({ from, count }: Range, options?: PlayOptions): Promise<Tally> => {
  const seenByProcess = watchProcess();
  const leftByProcess = watchHandles();
  const counts = { runs: 0, jobs: 0, faults: 0, 'sockets opened': 0, violations: 0 };
  const cells: Record<string, number> = {};
  const problems: string[] = [];
  const seeds = Array.from({ length: count }, (_, index) => from + index);
  await inParallel(seeds, atOnce, async (seed) => {
    const run = await playReal(drawLine(seed), options);
    const [violation] = judgeReal(run);
    counts.runs += 1;
    counts.jobs += run.ledger.jobs.length;
    counts.faults += run.ledger.faults.length;
    counts['sockets opened'] += run.ledger.sockets.length;
    for (const kind of struckKinds(run)) cells[kind] = (cells[kind] ?? 0) + 1;
    if (violation === undefined) return;
    counts.violations += 1;
    problems.push(`${violation}; npm run replay -- bad-networks --seed ${seed}`);
  });
  const seen = [...(await leftByProcess()), ...(await seenByProcess())];
  return {
    counts: { ...counts, violations: counts.violations + seen.length },
    cells,
    problems: [...problems, ...seen],
  };
};

/** The kinds that had a fault which really struck; TLS is refused in any case. */
const struckKinds = ({ plan, ledger }: RealRun): readonly string[] => {
  const struck = new Set(ledger.faults.map(({ fault }) => JSON.stringify(fault)));
  return plan.strikes
    .filter(
      ({ faults, tls }) => tls !== undefined || faults.some((fault) => struck.has(JSON.stringify(fault))),
    )
    .map(({ kind }) => kind);
};
