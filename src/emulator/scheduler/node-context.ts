import { event, type ProgressBoard } from './events.js';
import type { EventData, PreviewMetadata, ServiceMessage } from '../messages.js';
import type { FileStore } from '../store/file-store.js';
import type { Job } from './job.js';
import type { NodeClass, NodeContext } from '../engine/node-class.js';
import type { Pace } from '../pace.js';
import type { ResultCache } from './result-cache.js';
import type { Switches } from '../options.js';

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

/** What a run needs from around it; no socket and no timer of its own. */
export interface RunEnvironment {
  readonly nodeClasses: ReadonlyMap<string, NodeClass>;
  readonly switches: Pick<Switches, 'videoKey'>;
  readonly cache: ResultCache;
  readonly files: FileStore;
  readonly pace: Pace;
  readonly send: (message: ServiceMessage) => void;
  /** Sends an event with its time, and keeps it for the job's history. */
  readonly record: (job: Job, type: string, data: EventData) => void;
}
