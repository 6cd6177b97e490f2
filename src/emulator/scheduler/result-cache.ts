import { createHash } from 'node:crypto';
import { stringifyExact } from '../exact-json.js';
import type { NodeResult } from '../engine/node-class.js';
import { asLink, type Graph } from './graph.js';

/** Results of the nodes of the latest run, by what they were made from. */
export interface ResultCache {
  /** Begins a run: drops every result but those under these keys. */
  readonly begin: (keys: readonly string[]) => void;
  readonly get: (key: string) => NodeResult | undefined;
  readonly set: (key: string, result: NodeResult) => void;
}

/** Makes an empty cache. It keeps the nodes of one prompt only, as the engine does by default. */
export const createResultCache = (): ResultCache => {
  const results = new Map<string, NodeResult>();
  return {
    begin: (keys) => {
      const kept = new Set(keys);
      for (const key of results.keys()) if (!kept.has(key)) results.delete(key);
    },
    get: (key) => results.get(key),
    set: (key, result) => void results.set(key, result),
  };
};

/** Node id → key: the class, the literals, and the keys of the nodes that the links lead to. */
export const cacheKeys = (graph: Graph): ((nodeId: string) => string) => {
  const keys = new Map<string, string>();
  const keyOf = (nodeId: string): string => {
    const known = keys.get(nodeId);
    if (known !== undefined) return known;
    keys.set(nodeId, 'cycle');
    const node = graph.get(nodeId);
    const inputs = Object.entries(node?.inputs ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    const signature = inputs.map(([name, value]) => {
      const link = asLink(value);
      return link ? [name, 'link', keyOf(link[0]), link[1]] : [name, 'literal', value];
    });
    const key = createHash('sha256')
      .update(stringifyExact([node?.classType, signature]))
      .digest('base64');
    keys.set(nodeId, key);
    return key;
  };
  return keyOf;
};
