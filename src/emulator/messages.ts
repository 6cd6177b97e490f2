import type { Preview } from './engine/node-class.js';
import type { Origin } from './scheduler/subgraph.js';
import type { Switches } from './switches.js';

/** The members of an event's `data`. */
export type EventData = Readonly<Record<string, unknown>>;

/** The metadata of binary type 4: the node of a preview. */
export interface PreviewMetadata {
  readonly node_id: string;
  readonly display_node_id: string;
  readonly real_node_id: string;
  readonly prompt_id: string;
  readonly parent_node_id: string | null;
}

/**
 * One message of the service before it is encoded. A preview is sent in each layout: before the `progress` event
 * to sockets after a handshake (type 4), after it to the others (type 1).
 */
export type ServiceMessage =
  | {
      readonly kind: 'event';
      readonly type: string;
      readonly data: EventData;
      /** What faults match where `data` does not say it, as in API v2. */
      readonly subject?: {
        readonly promptId: string;
        readonly nodeId?: string | undefined;
        readonly isEnd: boolean;
      };
    }
  | {
      readonly kind: 'preview';
      readonly layout: 1 | 4;
      readonly metadata: PreviewMetadata;
      /** Makes the picture; called only if a socket gets it. */
      readonly picture: () => Preview;
    }
  | { readonly kind: 'text'; readonly promptId: string; readonly nodeId: string; readonly text: string }
  /** Already encoded; sent as it is. */
  | { readonly kind: 'raw'; readonly wire: string | Uint8Array };

/** `status`: how many jobs run or wait; `sid` only in the first message of a socket. */
export const statusEvent = (
  remaining: number,
  { statusEvent: shape }: Switches,
  sid?: string,
): ServiceMessage =>
  event(
    'status',
    shape === 'flat'
      ? { queue_remaining: remaining }
      : { status: { exec_info: { queue_remaining: remaining } }, ...(sid === undefined ? {} : { sid }) },
  );

/** The last `executing` of a run; undefined if the switch omits it. */
export const executingEnd = (
  promptId: string,
  { executingEnd: shape }: Switches,
): ServiceMessage | undefined => {
  if (shape === 'never') return undefined;
  const node = { null: { node: null }, empty: { node: '' }, absent: {} }[shape];
  return event('executing', { ...node, prompt_id: promptId });
};

/** Any other text message. */
export const event = (type: string, data: EventData): ServiceMessage => ({ kind: 'event', type, data });

/** The started nodes of one job; each `progress_state` is a whole snapshot. */
export interface NodeProgress {
  readonly set: (
    nodeId: string,
    state: 'running' | 'finished',
    value: number,
    max: number,
    more?: EventData,
  ) => ServiceMessage;
  /** Shows a node as it is, with these members besides until its next state. */
  readonly show: (nodeId: string, more: EventData) => ServiceMessage;
  /** Marks a node as finished at its maximum. */
  readonly finish: (nodeId: string, more?: EventData) => ServiceMessage;
}

/** No node has started. */
export const createNodeProgress = (promptId: string, originOf: (nodeId: string) => Origin): NodeProgress => {
  const nodes = new Map<string, EventData & { readonly value: number; readonly max: number }>();
  const set: NodeProgress['set'] = (nodeId, state, value, max, more = {}) => {
    const { displayId, parentId, realId } = originOf(nodeId);
    nodes.set(nodeId, {
      value,
      max,
      state,
      node_id: nodeId,
      prompt_id: promptId,
      display_node_id: displayId,
      parent_node_id: parentId,
      real_node_id: realId,
      ...more,
    });
    return event('progress_state', { prompt_id: promptId, nodes: Object.fromEntries(nodes) });
  };
  const show: NodeProgress['show'] = (nodeId, more) => {
    const { value, max } = nodes.get(nodeId) ?? { value: 0, max: 1 };
    return set(nodeId, 'running', value, max, more);
  };
  const finish: NodeProgress['finish'] = (nodeId, more) => {
    const max = nodes.get(nodeId)?.max ?? 1;
    return set(nodeId, 'finished', max, max, more);
  };
  return { set, show, finish };
};

/** Passes a message to `deliver`: unchanged, changed, several times, later, or never. */
export type EventInterceptor = (message: ServiceMessage, deliver: (message: ServiceMessage) => void) => void;
