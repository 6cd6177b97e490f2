import type { JobState, NodeState } from '../../index.js';

/** When a node ran, by the clock of the page. */
export interface NodeTime {
  readonly nodeId: string;
  readonly phase: NodeState['phase'];
  readonly start: number;
  /** Undefined while it runs. */
  readonly end: number | undefined;
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
}

/** What is known of the times of a job after a state that came at this moment: pure. */
export const stepTimeline = (before: Timeline | undefined, state: JobState, now: number): Timeline => {
  const { start, nodes } = before ?? { start: now, nodes: [] };
  const known = new Map(nodes.map((node) => [node.nodeId, node]));
  for (const { nodeId, phase } of Object.values(state.nodes)) {
    const node = known.get(nodeId);
    const end = phase === 'running' ? undefined : (node?.end ?? now);
    if (node?.phase !== phase) known.set(nodeId, { nodeId, phase, start: node?.start ?? now, end });
  }
  const isOver = !['submitting', 'pending', 'in_progress'].includes(state.phase);
  return { start, heard: now, end: isOver ? (before?.end ?? now) : undefined, nodes: [...known.values()] };
};
