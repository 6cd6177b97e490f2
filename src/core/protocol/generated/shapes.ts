/*
 * Made by `npm run generate` from the codecs that scripts/shape-definitions.ts names. Change those, not this file: a test and
 * `npm run generate:check` compare the two.
 */
import type { Shape } from '../json/shape-problem.js';

export const eventShapes: Readonly<Record<string, Shape>> = {
  progress: { is: 'o', has: { value: 'n0', max: 'n0', prompt_id: 's', node: 's0u' } },
  progress_state: {
    is: 'o',
    has: {
      prompt_id: 's',
      nodes: {
        is: 'o',
        each: {
          is: 'o',
          has: {
            value: 'n0u',
            max: 'n0u',
            state: 'su',
            node_id: 's0u',
            prompt_id: 's0u',
            display_node_id: 's0u',
            parent_node_id: 's0u',
            real_node_id: 's0u',
            class_type: 's0u',
          },
        },
      },
    },
  },
  status: {
    is: 'o',
    has: {
      status: { is: 'o0u', has: { exec_info: { is: 'o0u', has: { queue_remaining: 'nu' } } } },
      exec_info: { is: 'o0u', has: { queue_remaining: 'nu' } },
      queue_remaining: 'nu',
      sid: 's0u',
    },
  },
  notification: { is: 'o', has: { value: 's', id: 's0u' } },
  execution_start: { is: 'o', has: { prompt_id: 's', timestamp: 'n0u' } },
  execution_cached: { is: 'o', has: { prompt_id: 's', nodes: { is: 'l', each: 's' }, timestamp: 'n0u' } },
  executing: { is: 'o', has: { node: 's0u', display_node: 's0u', prompt_id: 's0u' } },
  executed: { is: 'o', has: { prompt_id: 's', node: 's', display_node: 's0u', output: 'o0u', merge: 'b0u' } },
  execution_success: { is: 'o', has: { prompt_id: 's', timestamp: 'n0u' } },
  execution_error: {
    is: 'o',
    has: {
      prompt_id: 's',
      exception_type: 's',
      exception_message: 's',
      node_id: 's0u',
      node_type: 's0u',
      executed: { is: 'l0u', each: 's' },
      traceback: { is: 'l0u', each: 's' },
      timestamp: 'n0u',
    },
  },
  execution_interrupted: {
    is: 'o',
    has: {
      prompt_id: 's',
      node_id: 's0u',
      node_type: 's0u',
      executed: { is: 'l0u', each: 's' },
      timestamp: 'n0u',
    },
  },
  feature_flags: 'o',
};

export const jobStatusShape: Shape = { is: 'o', has: { status: 's' } };

export const nodeInfoShape: Shape = {
  is: 'o',
  has: {
    input: {
      is: 'o',
      has: { required: { is: 'ou', each: 'l' }, optional: { is: 'ou', each: 'l' }, hidden: 'ou' },
    },
    output: 'l',
    output_node: 'b',
    name: 's',
    category: 's',
    display_name: 's0u',
    description: 'su',
  },
};

export const workflowShape: Shape = {
  is: 'o',
  each: { is: 'o', has: { class_type: 's', inputs: 'o', _meta: { is: 'ou', has: { title: 'su' } } } },
};
