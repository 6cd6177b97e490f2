import type { JobPlan } from '../schedule.js';
import { messagesOf, nodeId, type SimMessage } from '../sim-messages.js';

/** What a job sends while it runs: events, pictures with the progress they belong to, and texts. */
export type LocalMessage =
  | SimMessage
  | { readonly progress: SimMessage; readonly picture: Uint8Array; readonly nodeId: string }
  | { readonly text: string; readonly nodeId: string };

/** A picture that says whose it is, behind the first bytes of a JPEG. */
const pictureOf = ({ index }: JobPlan, node: number, turn: number): Uint8Array =>
  Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, index >> 8, index & 255, node, turn);

/** What a picture or text says of itself, undefined where it is none of a simulated job. */
export const markOf = (
  content: Uint8Array | string,
): { readonly plan: number; readonly mark: string } | undefined => {
  if (typeof content === 'string') {
    const [, plan, node] = /^job (\d+) node (\d+)$/u.exec(content) ?? [];
    return plan === undefined ? undefined : { plan: Number(plan), mark: `text ${node}` };
  }
  if (content.length !== 8) return undefined;
  return { plan: (content[4]! << 8) | content[5]!, mark: `picture ${content[6]} ${content[7]}` };
};

/** The messages of one job, as a local server words them. */
export const localMessagesOf = (promptId: string, plan: JobPlan, now: () => number) => {
  const say = messagesOf(promptId, plan);
  const stamped = ({ type, data }: SimMessage): SimMessage => ({ type, data: { ...data, timestamp: now() } });
  const nodes = Array.from({ length: plan.nodes }, (_, node) => nodeId(plan, node));
  const at = (node: number): string => nodes[node]!;
  const progressState = (states: readonly (readonly [string, number, number])[]): SimMessage => ({
    type: 'progress_state',
    data: {
      prompt_id: promptId,
      nodes: Object.fromEntries(
        states.map(([id, value, max]) => [
          id,
          {
            value,
            max,
            state: value === max ? 'finished' : 'running',
            node_id: id,
            prompt_id: promptId,
            display_node_id: id,
            parent_node_id: null,
            real_node_id: id,
          },
        ]),
      ),
    },
  });
  const ended = (node: number) => ({
    node_id: at(node),
    node_type: 'KSampler',
    executed: nodes.slice(0, node),
  });
  const exception = { current_outputs: nodes, traceback: ['  File …'] };

  return {
    nodeIds: nodes,
    start: () => stamped(say.start),
    cached: () =>
      stamped({ type: 'execution_cached', data: { nodes: plan.cached ? nodes : [], prompt_id: promptId } }),
    executing: say.executing,
    /** All nodes before this one have finished, and this one has come so far. */
    states: (node: number, value: number, max: number): SimMessage =>
      progressState([...nodes.slice(0, node).map((id) => [id, 1, 1] as const), [at(node), value, max]]),
    beat: (node: number, value: number): LocalMessage => ({
      progress: say.progress(node, value, 2),
      picture: pictureOf(plan, node, value),
      nodeId: at(node),
    }),
    text: (node: number): LocalMessage => ({ nodeId: at(node), text: `job ${plan.index} node ${node}` }),
    executed: (node: number, output: object): SimMessage => ({
      type: 'executed',
      data: { node: at(node), display_node: at(node), output, prompt_id: promptId },
    }),
    blocked: (node: number): SimMessage => ({
      type: 'execution_error',
      data: {
        ...ended(node),
        ...exception,
        traceback: [],
        prompt_id: promptId,
        exception_message: 'Execution Blocked: not today\n',
        exception_type: 'ExecutionBlocked',
        current_inputs: [],
      },
    }),
    nothingRuns: say.nothingRuns,
    end: (kind: JobPlan['end'], node: number): SimMessage =>
      stamped(
        kind === 'completed'
          ? say.ends.completed
          : {
              type: kind === 'failed' ? 'execution_error' : 'execution_interrupted',
              data: {
                prompt_id: promptId,
                ...ended(node),
                ...(kind === 'failed'
                  ? {
                      ...exception,
                      exception_message: 'out of memory',
                      exception_type: 'OOMError',
                      current_inputs: {},
                    }
                  : {}),
              },
            },
      ),
  };
};
