import type { RequestFault, RequestMatch } from './faults.js';

/** What a service refuses of a workflow. */
export interface RejectedWorkflow extends Omit<RequestMatch, 'route'> {
  /** The id of the node with the problem. */
  readonly nodeId: string;
  /** The class of that node. */
  readonly classType: string;
  /** The input with the problem. */
  readonly input: string;
  /** The kind of the problem, as the engine words it; default `value_not_in_list`. */
  readonly type?: string | undefined;
  /** The sentence for people; default `Value not in list`. */
  readonly message?: string | undefined;
}

/**
 * Makes a fault of a service in memory that refuses a submission as an invalid workflow: 400 with the problem of one node.
 *
 * It strikes one submission, or `times` of them from the `nth` on. No job comes of such a submission (docs/protocol.md, chapter 3).
 *
 * @example
 * ```ts
 * import { rejectedWorkflow, scriptedService } from 'promptwire/testing';
 *
 * const problem = { nodeId: '4', classType: 'CheckpointLoaderSimple', input: 'ckpt_name' };
 * const service = scriptedService({ faults: [rejectedWorkflow({ ...problem, times: Infinity })] });
 * console.log(service.jobs.length); // 0
 * ```
 */
export const rejectedWorkflow = ({
  nodeId,
  classType,
  input,
  type = 'value_not_in_list',
  message = 'Value not in list',
  nth,
  times,
}: RejectedWorkflow): RequestFault => ({
  ...{ kind: 'answer', route: 'submit', status: 400, nth, times },
  body: {
    error: {
      type: 'prompt_outputs_failed_validation',
      message: 'Prompt outputs failed validation',
      details: `* ${classType} ${nodeId}:\n  - ${message}: ${input}`,
      extra_info: {},
    },
    node_errors: {
      [nodeId]: {
        errors: [{ type, message, details: input, extra_info: { input_name: input } }],
        dependent_outputs: [],
        class_type: classType,
      },
    },
  },
});
