import { asSubgraph } from './group-node.js';
import type { Context } from './context.js';
import type { ConversionOptions } from './conversion.js';
import { idOf, type Json, listOf, objectOf, ownOf } from '../values.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { kept } from '../kept.js';
import { kindOfType, type NodeKind } from './node-kind.js';
import type { NodeDefinitions } from '../definitions.js';
import { packFinder } from '../validate/pack-of.js';
import type { Problem } from '../../core/protocol/problem.js';
import { readUiGraph } from './read-ui-graph.js';
import type { UiGraph } from './ui-graph.js';

/** Prepares a conversion. Each graph of the file is read when it is first asked for, and once. */
export const newContext = (
  raw: Json,
  definitions: NodeDefinitions | undefined,
  { random = randomOfPlatform, now, dynamicPrompts = 'expand', virtualNodes }: ConversionOptions,
  report: (problem: Problem) => void,
): Context => {
  const stored = subgraphsOf(raw);
  const storedGroups = objectOf(objectOf(raw['extra'])['groupNodes']);
  const graphs = new Map<string, UiGraph | undefined>();
  const kinds = new Map<string, NodeKind>();
  const context: Context = {
    definitions,
    packOf: packFinder(definitions ?? {}),
    random,
    now: () => now ?? new Date(),
    expandsPrompts: dynamicPrompts === 'expand',
    kindOf: (type) => kept(kinds, type, () => kindOfType(type, virtualNodes)),
    definitionOf: (type) =>
      kept(stored, type, () => {
        const [, name] = /^workflow[>/]([^]*)$/u.exec(type) ?? [];
        const group = name === undefined ? undefined : ownOf(storedGroups, name);
        // No editor makes group nodes inside group nodes.
        const inside = { ...context, definitionOf: (id: string) => stored.get(id) };
        return isJsonObject(group) ? asSubgraph(inside, group) : undefined;
      }),
    graphIn: ({ type }) =>
      kept(graphs, type, () => {
        const definition = context.definitionOf(type);
        return definition && readUiGraph(context, definition);
      }),
    report,
  };
  return context;
};

/** All definitions of subgraphs: a flat list at the root, or lists inside definitions, which the schema allows as well. */
const subgraphsOf = (raw: Json): Map<string, Json | undefined> => {
  const found = new Map<string, Json | undefined>();
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
