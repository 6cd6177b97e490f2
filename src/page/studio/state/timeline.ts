import { isTerminal } from '../../../remote.js';
import type { JobState, NodeState } from '../../../index.js';

/** When a node ran, by the clock of the page. */
export interface NodeTime {
  readonly nodeId: string;
  readonly phase: NodeState['phase'];
  readonly start: number;
  /** Undefined while it runs. */
  readonly end: number | undefined;
  /** It was over when the page first heard of the job: its time is unknown. */
  readonly isUnseen?: true;
}

/** When the nodes of a job ran, in the order of their starts, as far as the page has watched. */
export interface Timeline {
  /** When the page first heard of the job. */
  readonly start: number;
  /** When it ended. */
  readonly end: number | undefined;
  /** When the page last heard of it. */
  readonly heard: number;
  readonly nodes: readonly NodeTime[];
  /** It is of an earlier page, and nothing has come since. */
  readonly isKept?: true;
}

/** How long a node has run; undefined while it runs, and where the page has not seen it. */
export const tookMs = (time: NodeTime | undefined): number | undefined =>
  time?.end === undefined || time.isUnseen === true ? undefined : time.end - time.start;

/** What is known of the times of a job after a state that came at this moment: pure. */
export const stepTimeline = (before: Timeline | undefined, state: JobState, now: number): Timeline => {
  const isOver = isTerminal(state.phase);
  // The end of a job that no page has watched is unknown: its times go on to where one did.
  const moment = isOver && before?.isKept === true ? before.heard : now;
  return {
    start: before?.start ?? moment,
    heard: moment,
    end: isOver ? (before?.end ?? moment) : undefined,
    nodes: stepNodes(before?.nodes, state, moment),
  };
};

/** The same list where no node has begun or ended. */
const stepNodes = (
  before: readonly NodeTime[] | undefined,
  state: JobState,
  moment: number,
): readonly NodeTime[] => {
  const known = new Map(before?.map((node) => [node.nodeId, node]));
  const changed = Object.values(state.nodes).filter(
    ({ nodeId, phase }) => known.get(nodeId)?.phase !== phase,
  );
  if (before !== undefined && changed.length === 0) return before;
  for (const { nodeId, phase } of changed) {
    const node = known.get(nodeId);
    const isUnseen = node === undefined ? before === undefined && phase !== 'running' : node.isUnseen;
    const end = phase === 'running' ? undefined : (node?.end ?? moment);
    const times = { nodeId, phase, start: node?.start ?? moment, end };
    known.set(nodeId, isUnseen === true ? { ...times, isUnseen } : times);
  }
  return [...known.values()];
};
