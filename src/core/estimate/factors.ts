import type { JobPlan, PlannedNode } from '../state/job-plan.js';
import { type JobTimes, type NodeTime, workMs } from './job-times.js';
import type { JobState } from '../state/job-state.js';

/**
 * By what the times of nodes differ from the plan: those of one class; where none of it has run, those of all guessed ones, with loaders
 * and those that depend on a picture of unknown size apart; and not at all where the class was measured.
 */
export const factors = (
  plan: JobPlan,
  state: JobState,
  times: JobTimes,
  now: number,
): ((node: PlannedNode) => number) => {
  const ended = plan.nodes.flatMap((node): readonly Seen[] => {
    const time = times.nodes.get(node.nodeId);
    const reported = state.nodes[node.nodeId];
    if (time === undefined || reported === undefined || reported.phase === 'cached') return [];
    const ms = actualMs(node, time, reported.max, now);
    return ms === undefined ? [] : [{ node, ms }];
  });
  const supposed = factorByTexts(ended);
  const seen = new Map<number | string, Sum>();
  for (const { node, ms } of ended) {
    const { kind, texts } = node;
    for (const group of texts ? [kind] : [kind, groupOf(node)])
      seen.set(group, plus(seen.get(group) ?? before(group, supposed), ms, node.ms));
  }
  return (node) => {
    if (node.spread <= minGuessSpread) return ratio(seen.get(node.kind));
    const group = groupOf(node);
    return ratio(seen.get(node.kind) ?? seen.get(group) ?? before(group, supposed));
  };
};

/** The spread above which a duration is a guess. */
export const minGuessSpread = 0.3;

interface Seen {
  readonly node: PlannedNode;
  readonly ms: number;
}

interface Sum {
  readonly ms: number;
  readonly expected: number;
}

const none: Sum = { ms: 0, expected: 0 };

const plus = (sum: Sum, ms: number, expected: number): Sum => ({
  ms: sum.ms + ms,
  expected: sum.expected + expected,
});

const ratio = ({ ms, expected }: Sum = none): number => (expected === 0 ? 1 : ms / expected);

/** A group as a whole counts as if some of its work had been seen; a class does not. */
const before = (group: number | string, supposed: number): Sum =>
  typeof group === 'number'
    ? none
    : { ms: group === 'guessed' ? priorMs * supposed : priorMs, expected: priorMs };

const priorMs = 1_000;

/**
 * What encoders of texts say of the guessed nodes after them. They run first and on the same card, and a larger model has a larger one:
 * the machine counts in full and the model in part, so that the root of their factor is a fair guess.
 */
const factorByTexts = (ended: readonly Seen[]): number =>
  Math.sqrt(
    ratio(ended.filter(({ node }) => node.texts).reduce((sum, { node, ms }) => plus(sum, ms, node.ms), none)),
  );

/** What a node takes, by what was seen of it; undefined if that is too little. */
const actualMs = (
  { ms, steps, passes = 1 }: PlannedNode,
  time: NodeTime,
  max: number,
  now: number,
): number | undefined => {
  const seenMs = workMs(time, max);
  if (seenMs !== undefined) return time.to === undefined ? seenMs * passes : seenMs;
  const lateMs = time.to === undefined && steps === undefined && time.isWhole ? now - time.from : 0;
  return lateMs > ms ? lateMs : undefined;
};

const groupOf = ({ loads, unsized, spread }: PlannedNode): string => {
  if (loads === true) return 'loaders';
  if (unsized === true) return 'unsized';
  return spread > minGuessSpread ? 'guessed' : 'measured';
};
