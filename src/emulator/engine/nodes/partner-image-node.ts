import { define } from '../define.js';
import { pictureOf } from '../values.js';
import { NodeFailure, type NodeClass } from '../node-class.js';
import { read } from '../read.js';
import { sample } from '../sample.js';

/** Asks a partner's service for a picture, which needs the partner key of the submission. */
export const partnerImageNode: NodeClass = {
  partner: true,
  definition: () => partnerImageNodeDefinition,
  execute: async (inputs, context) => {
    if (!context.partnerKey)
      throw new NodeFailure('Unauthorized', 'Unauthorized: please sign in to use this node.');
    context.text('Task created');
    for (let step = 1; step <= polls; step += 1) {
      await context.step(step, polls);
      context.text(step < polls ? `Status: processing\nTime elapsed: ${step}s` : 'Status: completed');
    }
    return {
      values: [[pictureOf(samplesFor(read.text(inputs, 'prompt'), read.seed(inputs, 'seed')), grid)]],
    };
  },
};

const polls = 4;
const grid = { width: 384, height: 384 };

const samplesFor = (prompt: string, seed: bigint): Float32Array =>
  sample({
    prompt,
    negative: 'partner',
    seed,
    index: 0,
    grid,
    steps: 1,
    cfg: 8,
    sampler: 'euler',
    scheduler: 'normal',
    denoise: 1,
    from: new Float32Array(grid.width * grid.height * 3),
  })(1);

const partnerImageNodeDefinition = define({
  name: 'PartnerImageNode',
  title: 'Partner Image',
  description: 'Makes a picture at a partner; paid by credits.',
  category: 'api node/image',
  style: 'new',
  pythonModule: 'comfy_api_nodes.nodes_partner',
  required: {
    prompt: ['STRING', { multiline: true, default: '' }],
    seed: ['INT', { default: 0, min: 0, max: 2147483647, control_after_generate: true }],
  },
  hidden: {
    auth_token_comfy_org: 'AUTH_TOKEN_COMFY_ORG',
    api_key_comfy_org: 'API_KEY_COMFY_ORG',
    unique_id: 'UNIQUE_ID',
  },
  outputs: [{ type: 'IMAGE' }],
  flags: { api_node: true },
  more: {
    price_badge: {
      engine: 'jsonata',
      depends_on: { widgets: [], inputs: [], input_groups: [] },
      expr: '{"type":"usd","usd":0.04}',
    },
  },
});
