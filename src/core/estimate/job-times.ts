import type { JobState, NodeState } from '../state/job-state.js';

/** When the events of one node came, in milliseconds of the clock that its reader passes. */
export interface NodeTime {
  /** Its first event. */
  readonly from: number;
  /** Whether that event was its start, so that the whole of its time is known. */
  readonly isWhole: boolean;
  /** The share of its work that was done before. */
  readonly doneBefore: number;
  /** The first report of its steps, and the latest one. */
  readonly first?: StepTime | undefined;
  readonly latest?: StepTime | undefined;
  /** Its end. */
  readonly to?: number | undefined;
}

/** So many steps were done then. */
interface StepTime {
  readonly at: number;
  readonly value: number;
}

/** When the events of one job came. */
export interface JobTimes {
  /** The first state in which it ran. */
  readonly since: number | undefined;
  /** Its progress in that state. */
  readonly before: number;
  /** When its place in the queue became the present one. */
  readonly placeSince: number;
  /** Node id → its times. */
  readonly nodes: ReadonlyMap<string, NodeTime>;
}

/** Notes the times of one job, whose states are passed in their order. */
export interface JobClock extends JobTimes {
  /** Takes the next state; `ended` is called for each node that finished with it. */
  readonly take: (state: JobState, now: number, ended?: (node: NodeState, time: NodeTime) => void) => void;
}

/** The times of a job before its first state. */
export const jobClock = (): JobClock => new Times();

/** Its fields change in place: an object with accessors has hidden classes of its own, which are 2 KiB for each job. */
class Times implements JobClock {
  nodes: ReadonlyMap<string, NodeTime> = noNodes;
  since: number | undefined = undefined;
  before = 0;
  placeSince = 0;
  private own: Map<string, NodeTime> | undefined = undefined;
  private last: JobState | undefined = undefined;

  take(state: JobState, now: number, ended?: (node: NodeState, time: NodeTime) => void): void {
    const previous = this.last;
    this.last = state;
    if (this.since === undefined && state.phase === 'in_progress') {
      this.since = now;
      this.before = state.progress;
    }
    if (previous === undefined || previous.queue?.position !== state.queue?.position) this.placeSince = now;
    const changed = changedNodes(previous, state);
    if (changed.length === 0) return;
    const nodes = (this.own ??= new Map<string, NodeTime>());
    this.nodes = nodes;
    for (const node of changed) {
      const known = nodes.get(node.nodeId);
      const time =
        known === undefined ? firstTime(node, now, previous === undefined) : nextTime(known, node, now);
      nodes.set(node.nodeId, time);
      if (time.to !== known?.to && node.phase === 'finished') ended?.(node, time);
    }
  }
}

const noNodes: ReadonlyMap<string, NodeTime> = new Map();

const changedNodes = (previous: JobState | undefined, { nodes }: JobState): readonly NodeState[] =>
  previous?.nodes === nodes
    ? []
    : Object.values(nodes).filter((node) => node !== previous?.nodes[node.nodeId]);

const firstTime = (node: NodeState, now: number, isLate: boolean): NodeTime => {
  const isRunning = node.phase === 'running';
  const begun: NodeTime = {
    from: now,
    isWhole: isRunning && !isLate,
    doneBefore: isLate ? node.fraction : 0,
    // Named from the start: copies that add them would each have a hidden class of their own.
    first: undefined,
    latest: undefined,
    to: undefined,
  };
  return isRunning ? withStep(begun, node, now) : { ...begun, to: now };
};

const nextTime = (time: NodeTime, node: NodeState, now: number): NodeTime =>
  node.phase === 'running' ? withStep(time, node, now) : time.to === undefined ? { ...time, to: now } : time;

const withStep = (time: NodeTime, { value, max }: NodeState, now: number): NodeTime => {
  if (max === 0 || value === 0 || value === time.latest?.value) return time;
  const latest = { at: now, value };
  return { ...time, first: time.first ?? latest, latest };
};

/** What all steps of a node take by those that it has reported, in milliseconds; undefined before the second one. */
export const stepsMs = ({ first, latest }: NodeTime, max: number): number | undefined =>
  first !== undefined && latest !== undefined && latest.value > first.value
    ? ((latest.at - first.at) * max) / (latest.value - first.value)
    : undefined;

/**
 * What the work of a node took, in milliseconds, without what it loads before its first step. A node that runs still takes as long as its
 * steps say; one that has ended took what it took, which is more where it counted its steps anew for each of several parts. Undefined
 * where too little of it was seen.
 */
export const workMs = (time: NodeTime, max: number): number | undefined => {
  const { from, isWhole, first, latest, to } = time;
  const bySteps = stepsMs(time, max);
  if (bySteps === undefined || first === undefined)
    return isWhole && to !== undefined ? to - from : undefined;
  if (to === undefined || latest === undefined || latest.value < max) return bySteps;
  return Math.max(bySteps, to - first.at + (first.value * bySteps) / max);
};
