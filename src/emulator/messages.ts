import type { Preview } from './engine/node-class.js';

/** The members of an event's `data`. */
export type EventData = Readonly<Record<string, unknown>>;

/** Which node a preview belongs to, as the metadata of binary type 4 says it. */
export interface PreviewMetadata {
  readonly node_id: string;
  readonly display_node_id: string;
  readonly real_node_id: string;
  readonly prompt_id: string;
  readonly parent_node_id: string | null;
}

/**
 * One message of the service before it is encoded. A preview comes once in each layout, before the `progress` event
 * for sockets that shook hands (type 4) and after it for the others (type 1).
 */
export type ServiceMessage =
  | { readonly kind: 'event'; readonly type: string; readonly data: EventData }
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
