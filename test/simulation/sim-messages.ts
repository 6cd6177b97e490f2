import type { JobPlan } from './schedule.js';

/** A text message of the service. */
export interface SimMessage {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Node ids carry the job's number, so that what strays to another job is seen there. */
export const nodeId = (plan: JobPlan, node: number): string => `${100 * (plan.index + 1) + node}`;

/** What its nodes put out, by node. */
export const outputsOf = (plan: JobPlan): Record<string, object> =>
  Object.fromEntries(
    Array.from({ length: plan.nodes }, (_, node) => [nodeId(plan, node), outputOf(plan, node)]),
  );

/** What one node puts out: a picture, unless the plan has none. */
export const outputOf = (plan: JobPlan, node: number): object => {
  if (plan.files === 'none') return node % 2 === 0 ? { text: ['all there is'] } : {};
  if (plan.emptyList === true && node === 0) return { images: [] };
  const filename = `job${plan.index}-node${node}${plan.isLong === true ? '-é'.repeat(1_000) : ''}.png`;
  return { images: [{ filename, subfolder: '', type: 'output' }] };
};

/** Why a job fails at a node, where it does. */
export const failureOf = (plan: JobPlan, node: number) => ({
  node_id: nodeId(plan, node),
  node_type: 'KSampler',
  exception_type: 'OOMError',
  exception_message: `out of memory${plan.isLong === true ? ': 溢れた'.repeat(4_000) : ''}`,
});

/** The messages of one job, as the service words them; what does not complete ends at a node. */
export const messagesOf = (promptId: string, plan: JobPlan, endsAt = 0) => {
  const of = (type: string, data: object = {}): SimMessage => ({
    type,
    data: { ...data, prompt_id: promptId },
  });
  return {
    start: of('execution_start', { timestamp: 1 }),
    cached: (nodes: number) =>
      of('execution_cached', { nodes: Object.keys(outputsOf(plan)).slice(0, nodes), timestamp: 1 }),
    executing: (node: number) =>
      of('executing', { node: nodeId(plan, node), display_node: nodeId(plan, node) }),
    progress: (node: number, value: unknown, max: unknown) =>
      of('progress', { node: nodeId(plan, node), value, max }),
    executed: (node: number) =>
      of('executed', {
        node: nodeId(plan, node),
        display_node: nodeId(plan, node),
        output: outputOf(plan, node),
      }),
    nothingRuns: of('executing', { node: null }),
    ends: {
      completed: of('execution_success', { timestamp: 2 }),
      failed: of('execution_error', {
        ...failureOf(plan, endsAt),
        executed: [],
        traceback: [],
        current_inputs: {},
        current_outputs: {},
        timestamp: 2,
      }),
      cancelled: of('execution_interrupted', {
        node_id: nodeId(plan, endsAt),
        node_type: 'KSampler',
        executed: [],
        timestamp: 2,
      }),
    },
  };
};
