import type { JobPlan, PlannedNode } from '../state/job-plan.js';
import { isTerminal, type JobState } from '../state/job-state.js';
import { factors, minGuessSpread } from './factors.js';
import { type JobTimes, type NodeTime, stepsMs } from './job-times.js';
import { restOf } from './rest-of.js';

/** How far a job is, and how long it will go on. */
export interface Estimate {
  /** The share of the job's time that has passed, 0 to 1; below 1. */
  readonly value: number;
  /** Milliseconds to the end; absent if they would be a wild guess. */
  readonly timeLeftMs?: number;
  /** As many at the most, where that is far more. */
  readonly timeLeftMaxMs?: number;
}

/** Below 1 until the job has completed: the service has work to do after the last node. */
const maxBeforeEnd = 0.99;

/** Before so much of the work or so much time was seen there is no time left. */
const minShare = 0.1;
const minSeenMs = 2_000;

/** What the spread is multiplied by for the most. */
const most = 1.5;

/** Milliseconds to come, and how far they may be off. */
interface Left {
  readonly ms: number;
  readonly spreadMs: number;
}

/**
 * Estimates a job by its state, its plan, and when its events came.
 *
 * It is pure and total. Nodes that are not cached and have not begun take what the plan expects, times the factor by which other nodes of
 * their class, or all guessed ones, have differed from it; a running one is measured by its own steps. The value is the time that has
 * passed as a share of that and the time left. Without a plan each node counts alike.
 */
export const estimate = (state: JobState, times: JobTimes, now: number): Estimate => {
  if (isTerminal(state.phase)) return { value: state.phase === 'completed' ? 1 : 0, timeLeftMs: 0 };
  const { plan } = state;
  if (times.since === undefined) return { value: 0, ...waiting(state, times, now) };
  const seenMs = now - times.since;
  if (plan === undefined) return byShare(state.progress, state.progress - times.before, seenMs);
  const { left: byNodes, doneBefore } = work(plan, state, times, now);
  const left = times.nodes.size === 0 ? withoutEvents(byNodes, seenMs) : byNodes;
  const done = doneBefore + seenMs;
  const value = Math.min(maxBeforeEnd, done / Math.max(1, done + left.ms));
  return { value, ...((seenMs >= minSeenMs || value >= minShare) && shown(left)) };
};

/** A job that is polled, or whose service stalls, shows none of its nodes: the longer it is late, the longer it will go on. */
const withoutEvents = ({ ms, spreadMs }: Left, seenMs: number): Left => ({
  ms: Math.max(ms - seenMs, spreadMs / 4, seenMs / 8),
  spreadMs,
});

const shown = ({ ms, spreadMs }: Left): Omit<Estimate, 'value'> => {
  const maxMs = ms + most * spreadMs;
  return { timeLeftMs: Math.round(ms), ...(maxMs > 1.3 * ms && { timeLeftMaxMs: Math.round(maxMs) }) };
};

/** A job that waits: each job before it takes as long as others have on average. */
const waiting = (
  { plan, queue }: JobState,
  { placeSince }: JobTimes,
  now: number,
): Omit<Estimate, 'value'> | undefined => {
  if (plan?.jobMs === undefined || queue?.position === undefined) return undefined;
  const before = queue.position * plan.jobMs - Math.min(now - placeSince, plan.jobMs);
  const own = plan.nodes.reduce((sum, { ms }) => sum + ms, plan.restMs ?? 0);
  return shown({ ms: before + own, spreadMs: before / 2 + own / 4 });
};

/** What events alone say: the share of the nodes that have been named, and how fast it has grown. */
const byShare = (value: number, gained: number, seenMs: number): Estimate => {
  if (gained <= 0 || (gained < minShare && seenMs < minSeenMs)) return { value };
  const ms = (seenMs * (1 - value)) / gained;
  return { value, ...shown({ ms, spreadMs: ms / 2 }) };
};

/** The work that is left by the plan, and the milliseconds of what was done before the first state. */
const work = (
  plan: JobPlan,
  state: JobState,
  times: JobTimes,
  now: number,
): { readonly left: Left; readonly doneBefore: number } => {
  const factorOf = factors(plan, state, times, now);
  const planned = new Map(plan.nodes.map((node) => [node.nodeId, { ...node, ms: node.ms * factorOf(node) }]));
  let doneBefore = 0;
  let ms = restOf(plan, state, times);
  let spreadMs = 0;
  // Nodes that run at once end with the last of them.
  let running: Left = { ms: 0, spreadMs: 0 };
  for (const [nodeId, time] of times.nodes) {
    const node = planned.get(nodeId) ?? unplanned;
    const { phase, max } = state.nodes[nodeId] ?? { phase: 'finished', max: 0 };
    planned.delete(nodeId);
    if (phase !== 'cached') doneBefore += node.ms * time.doneBefore;
    const left = phase === 'running' ? ofRunning(node, time, max, now) : running;
    if (left.ms > running.ms) running = left;
  }
  for (const node of planned.values()) {
    ms += node.ms + (node.leadMs ?? 0);
    spreadMs += node.ms * node.spread;
  }
  return { left: { ms: ms + running.ms, spreadMs: spreadMs + running.spreadMs }, doneBefore };
};

/** What a running node is expected to take. */
type Running = Pick<PlannedNode, 'ms' | 'spread' | 'steps' | 'stepMs' | 'passes' | 'leadMs'>;

const unplanned: Running = { ms: 0, spread: 1 };

const ofRunning = (node: Running, time: NodeTime, max: number, now: number): Left => {
  const { latest, first } = time;
  if (latest === undefined || first === undefined || max <= 0) return withoutSteps(node, now - time.from);
  const seenSteps = latest.value - first.value;
  const trust = seenSteps / (seenSteps + 1);
  const stepMs = trust * ((stepsMs(time, max) ?? 0) / max) + (1 - trust) * firstStep(node, time, max);
  const passMs = stepMs * max;
  const lateMs = now - latest.at;
  const more = ((node.passes ?? 1) - 1) * passMs;
  const ms =
    latest.value < max
      ? Math.max(0, (max - latest.value) * stepMs - Math.min(lateMs, stepMs)) + more
      : afterPass(more, lateMs, { passMs, stepMs });
  return { ms, spreadMs: ms * (trust * 0.1 + (1 - trust) * node.spread) };
};

/** A node that has reported its last step ends at once, or counts them anew: then this is supposed to be the last time. */
const afterPass = (
  moreMs: number,
  lateMs: number,
  { passMs, stepMs }: { readonly passMs: number; readonly stepMs: number },
): number => {
  if (moreMs > lateMs) return moreMs - lateMs;
  return lateMs - moreMs > 2 * stepMs ? passMs - ((lateMs - moreMs) % passMs) : 0;
};

/** A step, before two of them were seen: of a guessed node between what was supposed and what the first one took with all it loaded. */
const firstStep = (
  { ms, spread, stepMs, passes = 1 }: Running,
  { from, isWhole, first, latest }: NodeTime,
  max: number,
): number => {
  if (stepMs !== undefined) return stepMs;
  const expected = ms / max / passes;
  if (!isWhole || first === undefined || latest !== first || spread <= minGuessSpread) return expected;
  const longest = (first.at - from) / first.value;
  return Math.sqrt(Math.min(expected, longest) * longest);
};

/**
 * What a node loads before its first step comes on top of its work, of which no more than that step is done then. The longer a node
 * without steps is late, the longer it will go on.
 */
const withoutSteps = ({ ms, spread, steps, stepMs, leadMs = 0 }: Running, sinceMs: number): Left => {
  if (sinceMs < leadMs) return { ms: ms + leadMs - sinceMs, spreadMs: ms * spread };
  const passedMs = sinceMs - leadMs;
  const firstMs = steps === undefined ? stepMs : ms / steps;
  const left =
    firstMs === undefined
      ? Math.max(ms - passedMs, (passedMs * spread) / 5)
      : Math.max(ms - Math.min(passedMs, firstMs), (ms * spread) / 2);
  return { ms: left, spreadMs: Math.min(Math.max(ms, passedMs), 2 * left) * spread };
};
