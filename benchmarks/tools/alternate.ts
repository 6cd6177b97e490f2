import { median } from './median.js';
import { sink } from './sink.js';

/** How fast two ways of the same work are, in calls a second, and the ratio of the first to the second. */
export interface Rates {
  readonly ours: number;
  readonly baseline: number;
  readonly ratio: number;
}

/** Many short rounds: what else the machine does then falls on both ways alike, or on few of the rounds. */
const rounds = 41;
const roundMs = 15;
const warmUpMs = 150;

/**
 * Measures two functions in turns in this process: warmed up, garbage collected before each turn, medians over the
 * rounds. What they return is kept alive, so that the work can't be left out.
 */
export const alternate = (ours: (call: number) => unknown, baseline: (call: number) => unknown): Rates => {
  const callsOfOurs = callsPerRound(ours);
  const callsOfBaseline = callsPerRound(baseline);
  for (let time = 0; time < warmUpMs; time += roundMs) {
    rate(ours, callsOfOurs);
    rate(baseline, callsOfBaseline);
  }
  const results = Array.from({ length: rounds }, (_, round) => {
    const first = round % 2 === 0;
    const early = first ? rate(ours, callsOfOurs) : rate(baseline, callsOfBaseline);
    const late = first ? rate(baseline, callsOfBaseline) : rate(ours, callsOfOurs);
    return first ? { ours: early, baseline: late } : { ours: late, baseline: early };
  });
  return {
    ours: median(results.map((result) => result.ours)),
    baseline: median(results.map((result) => result.baseline)),
    ratio: median(results.map((result) => result.ours / result.baseline)),
  };
};

/** As many calls as fill a round. */
const callsPerRound = (work: (call: number) => unknown): number => {
  let calls = 64;
  for (;;) {
    const perSecond = rate(work, calls);
    if (calls / perSecond >= roundMs / 1000) return calls;
    calls *= 2;
  }
};

const rate = (work: (call: number) => unknown, calls: number): number => {
  globalThis.gc?.();
  const started = process.hrtime.bigint();
  for (let call = 0; call < calls; call += 1) sink.kept = work(call);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return calls / seconds;
};
