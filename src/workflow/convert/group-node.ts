import { boundaryLink, type GroupNode, type InsideLinks, insideLinks } from './group-links.js';
import { type Context, definitionOf } from './context.js';
import {
  type BoundarySlot,
  inputBoundary,
  outputBoundary,
  slotType,
  uiGraph,
  type UiNode,
  uiNode,
} from './ui-graph.js';
import { groupInputNames } from './group-names.js';
import { idOf, type Json, listOf, objectOf } from './values.js';

/** Reads the definition of a group node as a graph with borders, like that of a subgraph. Ids are the indices of its nodes. */
export const readGroupNode = (context: Context, name: string, stored: Json): GroupNode => {
  const nodes = listOf(stored['nodes']).flatMap((item, index): readonly UiNode[] => {
    const raw = objectOf(item);
    return typeof raw['type'] === 'string' ? [uiNode(String(index), raw)] : [];
  });
  const inside = insideLinks(stored);
  const builder = new Map(nodes.map((node) => [node.id, socketsWith(node, inside)]));
  const linkOf = new Map(inside.all.map((link) => [link.id, link.link]));
  const inputs: BoundarySlot[] = [];
  const { inputs: named, entries } = groupInputNames(context, nodes, stored, inside);
  for (const { nodeId, input, name: groupInput, type } of named) {
    const id = `input ${inputs.length}`;
    const sockets = builder.get(nodeId);
    const socket = sockets?.find((one) => one['name'] === input);
    if (socket === undefined) sockets?.push({ name: input, type, link: id, widget: { name: input } });
    else if (socket['link'] === undefined) socket['link'] = id;
    linkOf.set(id, boundaryLink(inputBoundary, inputs.length, nodeId, 0));
    inputs.push({ name: groupInput, type });
  }
  const outputs: BoundarySlot[] = [];
  for (const { nodeId, slot, type } of visibleOutputs(context, nodes, stored, inside)) {
    linkOf.set(`output ${outputs.length}`, boundaryLink(nodeId, slot, outputBoundary, outputs.length));
    outputs.push({ name: '', type });
  }
  const withSockets = nodes.map((node) => ({ ...node, raw: { ...node.raw, inputs: builder.get(node.id) } }));
  const nodeOf = new Map(withSockets.map((node) => [node.id, node]));
  const graph = uiGraph({
    definitionId: `workflow>${name}`,
    nodeOf,
    linkOf,
    inputs,
    outputs,
  });
  return { graph, entries };
};

/** The sockets of a node with the links inside the group; the file's own link ids mean nothing there. */
const socketsWith = (node: UiNode, inside: InsideLinks): Record<string, unknown>[] =>
  listOf(node.raw['inputs']).map((item, slot) => {
    return { ...objectOf(item), link: inside.into(node.id, slot)?.id };
  });

/** Outputs that the group node shows: those that no link inside takes, or that are used outside as well. */
const visibleOutputs = (
  context: Context,
  nodes: readonly UiNode[],
  stored: Json,
  inside: InsideLinks,
): readonly { readonly nodeId: string; readonly slot: number; readonly type: string }[] => {
  const key = (id: unknown, slot: unknown) => `${idOf(id) ?? ''} ${String(Number(slot))}`;
  const outside = new Set(listOf(stored['external']).map((item) => key(listOf(item)[0], listOf(item)[1])));
  const used = new Set(inside.all.map(({ link }) => key(link.originId, link.originSlot)));
  return nodes.flatMap((node) => {
    const config = objectOf(objectOf(objectOf(stored['config'])[node.id])['output']);
    return outputTypes(context, node).flatMap((type, slot) => {
      const wish = objectOf(config[String(slot)])['visible'];
      const isFree = !used.has(key(node.id, slot)) || outside.has(key(node.id, slot));
      return (typeof wish === 'boolean' ? wish : isFree) ? [{ nodeId: node.id, slot, type }] : [];
    });
  });
};

const outputTypes = (context: Context, node: UiNode): readonly string[] => {
  if (node.kind === 'drop') return [];
  return (
    definitionOf(context, node)?.outputs ??
    listOf(node.raw['outputs']).map((output) => slotType(objectOf(output)['type']))
  );
};
