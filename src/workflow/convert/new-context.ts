import type { Context, InnerGraph } from './context.js';
import type { ConversionOptions } from './ui-workflow.js';
import { groupName } from './node-kind.js';
import { readGroupNode } from './group-node.js';
import { idOf, type Json, listOf, objectOf, ownOf } from '../values.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { kept } from '../kept.js';
import type { NodeDefinitions } from '../definitions.js';
import type { Problem } from '../../protocol/problem.js';
import { readUiGraph } from './read-ui-graph.js';

/** Prepares a conversion. Each graph of the file is read when it is first asked for, and once. */
export const newContext = (
  raw: Json,
  definitions: NodeDefinitions | undefined,
  { random = randomOfPlatform, now, dynamicPrompts = 'expand' }: ConversionOptions,
  report: (problem: Problem) => void,
): Context => {
  const stored = subgraphsOf(raw);
  const storedGroups = objectOf(objectOf(raw['extra'])['groupNodes']);
  const graphs = new Map<string, InnerGraph | undefined>();
  const context: Context = {
    definitions,
    random,
    now: () => now ?? new Date(),
    expandsPrompts: dynamicPrompts === 'expand',
    isSubgraph: (type) => stored.has(type),
    graphIn: ({ type }) =>
      kept(graphs, type, () => {
        const definition = stored.get(type);
        if (definition) return readUiGraph(context, definition, type);
        const group = ownOf(storedGroups, groupName(type));
        return isJsonObject(group) ? readGroupNode(context, group, type) : undefined;
      }),
    report,
  };
  return context;
};

/** All definitions of subgraphs: a flat list at the root, or lists inside definitions, which the schema allows as well. */
const subgraphsOf = (raw: Json): ReadonlyMap<string, Json> => {
  const found = new Map<string, Json>();
  const graphs = [raw];
  // The loop comes to what it adds as well.
  for (const { definitions } of graphs) {
    for (const definition of listOf(objectOf(definitions)['subgraphs']).map(objectOf)) {
      const id = idOf(definition['id']);
      if (id === undefined || id === '' || found.has(id)) continue;
      found.set(id, definition);
      graphs.push(definition);
    }
  }
  return found;
};

const randomOfPlatform = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
