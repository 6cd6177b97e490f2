import { createHash } from 'node:crypto';
import type { NodeResult } from '../engine/node-class.js';
import { asLink, type Graph } from './graph.js';

/** Results of nodes that ran before, by what they were made from. */
export interface ResultCache {
  readonly get: (key: string) => NodeResult | undefined;
  readonly set: (key: string, result: NodeResult) => void;
}

/** Keeps the results that were used last. */
export const createResultCache = (capacity = 200): ResultCache => {
  const results = new Map<string, NodeResult>();
  const set = (key: string, result: NodeResult): void => {
    results.delete(key);
    results.set(key, result);
    for (const oldest of results.keys()) {
      if (results.size <= capacity) break;
      results.delete(oldest);
    }
  };
  const get = (key: string): NodeResult | undefined => {
    const result = results.get(key);
    if (result) set(key, result);
    return result;
  };
  return { get, set };
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
      .update(JSON.stringify([node?.classType, signature]))
      .digest('base64');
    keys.set(nodeId, key);
    return key;
  };
  return keyOf;
};
