import type { NodeContext } from '../engine/node-class.js';
import type { PreviewMetadata } from '../messages.js';
import { event } from './events.js';
import type { Job } from './job.js';
import type { ProgressBoard } from './progress-board.js';
import type { RunEnvironment } from './run-environment.js';

/** What a node sees of its surroundings while it runs. */
export const nodeContext = (
  job: Job,
  nodeId: string,
  board: ProgressBoard,
  { pace, send, files }: RunEnvironment,
): NodeContext => {
  const metadata: PreviewMetadata = {
    node_id: nodeId,
    prompt_id: job.id,
    display_node_id: nodeId,
    parent_node_id: null,
    real_node_id: nodeId,
  };
  return {
    nodeId,
    prompt: job.prompt,
    extraPngInfo: asRecord(job.extraData['extra_pnginfo']),
    partnerKey: partnerKey(job.extraData),
    step: async (value, max, preview) => {
      await pace.step(job.abort.signal);
      send(board.set(nodeId, 'running', value, max));
      if (preview) send({ kind: 'preview', layout: 4, metadata, picture: preview });
      send(event('progress', { value, max, prompt_id: job.id, node: nodeId }));
      if (preview) send({ kind: 'preview', layout: 1, metadata, picture: preview });
    },
    text: (text) => send({ kind: 'text', promptId: job.id, nodeId, text }),
    save: files.save,
    load: (name) => files.find(name)?.bytes,
  };
};

/** The interface document's field, then the one of the public material. */
const partnerKey = (extraData: Readonly<Record<string, unknown>>): string | undefined =>
  ['api_key_partner_org', 'api_key_comfy_org']
    .map((field) => extraData[field])
    .find((key): key is string => typeof key === 'string' && key !== '');

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
