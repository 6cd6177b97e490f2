import type { History } from '../../node.js';

/** Node id → the node of the submitted workflow that it belongs to, as the `meta` of a job's record says. */
export const displayNodes = ({
  record,
}: Pick<History, 'record'>): Readonly<Record<string, { readonly displayNodeId: string }>> =>
  Object.fromEntries(
    Object.entries(isObject(record['meta']) ? record['meta'] : {}).flatMap(([nodeId, meta]) =>
      isObject(meta) && typeof meta['display_node'] === 'string'
        ? [[nodeId, { displayNodeId: meta['display_node'] }]]
        : [],
    ),
  );

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
