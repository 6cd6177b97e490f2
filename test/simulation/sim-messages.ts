import type { JobPlan } from './schedule.js';

/** A text message of the service. */
export interface SimMessage {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Node ids carry the job's number, so that what strays to another job is seen there. */
export const nodeId = (plan: JobPlan, node: number): string => `${100 * (plan.index + 1) + node}`;

/** The job's outputs: one picture of each node. */
export const outputsOf = (plan: JobPlan): Record<string, object> =>
  Object.fromEntries(
    Array.from({ length: plan.nodes }, (_, node) => [nodeId(plan, node), outputOf(plan, node)]),
  );

const outputOf = (plan: JobPlan, node: number): object => ({
  images: [{ filename: `job${plan.index}-node${node}.png`, subfolder: '', type: 'output' }],
});

/** The messages of one job, as the service words them. */
export const messagesOf = (promptId: string, plan: JobPlan) => {
  const of = (type: string, data: object = {}): SimMessage => ({
    type,
    data: { ...data, prompt_id: promptId },
  });
  return {
    start: of('execution_start', { timestamp: 1 }),
    cached: of('execution_cached', { nodes: Object.keys(outputsOf(plan)), timestamp: 1 }),
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
        node_id: nodeId(plan, 0),
        node_type: 'KSampler',
        executed: [],
        exception_type: 'OOMError',
        exception_message: 'out of memory',
        traceback: [],
        current_inputs: {},
        current_outputs: {},
        timestamp: 2,
      }),
      cancelled: of('execution_interrupted', {
        node_id: nodeId(plan, 0),
        node_type: 'KSampler',
        executed: [],
        timestamp: 2,
      }),
    },
  };
};
