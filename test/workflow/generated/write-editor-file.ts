import type { Random } from '../../simulation/random.js';
import { asLists } from '../helpers/ui-link.js';
import type { Origin, OriginLink } from './draw-origin.js';
import { type FileState, graphWriter, type GraphWriter, type Socket, type Source } from './graph-writer.js';
import { type Graph, staleValue, writeNode, type Writing } from './write-node.js';

/** A file of the editor, and the graph in API format that it stands for. */
export interface EditorFile {
  readonly file: {
    readonly nodes: readonly unknown[];
    readonly definitions: { readonly subgraphs: readonly unknown[] };
    readonly [more: string]: unknown;
  };
  readonly expected: Readonly<Record<string, { readonly class_type: string; readonly inputs: unknown }>>;
  /** By index of the origin's node. */
  readonly ids: readonly string[];
}

/** Writes a workflow as the editor would save it, with much between its nodes that leaves no trace in the API format. */
export const writeEditorFile = (random: Random, { nodes, mistake }: Origin): EditorFile => {
  const mayBypass = mistake?.type !== 'return_type_mismatch';
  const state: FileState = { random, subgraphs: [], mayBypass, subgraphIds: 0, nodeIds: 0, linkIds: 0 };
  const writing: Writing = { random, nodes, mistake, isOld: random.chance(0.3), ids: [], inputs: [] };
  const writer = graphWriter(state);
  const outside = (): Source => {
    throw new Error('a link to a node that was never written');
  };
  writeRange(state, writing, { writer, prefix: '', depth: 0, outside }, [0, nodes.length]);
  addStrays(writer, random);
  const { ids } = writing;
  const isVersion1 = random.chance(0.2);
  return {
    file: {
      nodes: writer.nodes,
      links: isVersion1
        ? writer.links
        : [
            ...asLists(writer.links, (slot) => (random.chance(0.1) ? String(slot) : slot)),
            ...(random.chance(0.2) ? [null] : []),
          ],
      groups: [{ title: 'a group', bounding: [0, 0, 1, 1] }],
      definitions: { subgraphs: state.subgraphs },
      extra: { ds: { scale: 1 } },
      ...(random.chance(0.8) && { version: isVersion1 ? 1 : 0.4 }),
    },
    expected: Object.fromEntries(
      nodes.map(({ drawn, links }, at) => {
        const linked = [...links].map(([name, { from, slot }]) => [name, [ids[from], slot]] as const);
        const inputs = { ...writing.inputs[at], ...Object.fromEntries(linked) };
        return [ids[at]!, { class_type: drawn.name, inputs }];
      }),
    ),
    ids,
  };
};

/** Writes the nodes from one index up to another into a graph; the result says where their outputs are in it. */
const writeRange = (
  state: FileState,
  writing: Writing,
  graph: Graph,
  [from, to]: readonly [from: number, to: number],
): ((link: OriginLink) => Source) => {
  const { random } = state;
  const placeOf = new Map<number, (slot: number) => Source>();
  const sourceOf = (link: OriginLink): Source => placeOf.get(link.from)?.(link.slot) ?? graph.outside(link);
  // Neighbours may stand in a subgraph: nothing runs from them through a node around it and back.
  const start = random.between(from, from + ((to - from) >> 1));
  const end = graph.depth < 3 && random.chance(0.6) ? random.between(start, to) : start;
  for (let at = from; at < to; at += 1) {
    if (at === start && end > start) {
      const outputOf = writeSubgraph(state, writing, graph, [start, end], sourceOf);
      for (; at < end; at += 1) {
        const inner = at;
        placeOf.set(inner, (slot) => outputOf({ from: inner, slot }));
      }
      at -= 1;
    } else {
      const id = writeNode(writing, graph, at, sourceOf);
      placeOf.set(at, (slot) => ({ id, slot }));
    }
  }
  return sourceOf;
};

/** Writes nodes into a subgraph, and its instance into the graph around it; the result adds outputs to both. */
const writeSubgraph = (
  state: FileState,
  writing: Writing,
  around: Graph,
  range: readonly [from: number, to: number],
  sourceOf: (link: OriginLink) => Source,
): ((link: OriginLink) => Source) => {
  const { random } = state;
  const { newId, addNode, connect, detour } = around.writer;
  const typeOf = ({ from, slot }: OriginLink): string => writing.nodes[from]!.drawn.outputs[slot]!;
  const host = newId();
  state.subgraphIds += 1;
  const type = `0000000${state.subgraphIds}-0000-4000-8000-000000000000`;
  const inner = graphWriter(state);
  const inputs: object[] = [];
  const outputs: object[] = [];
  const sockets: Socket[] = [];
  const slotOf = new Map<string, number>();
  const values = new Map<number, unknown>();
  const usesProxies = random.chance(0.3);
  const proxies: (readonly [entry: unknown, value: unknown])[] = [];
  const addInput = (name: string, inputType: string): Socket => {
    inputs.push({ id: `input ${inputs.length}`, name, type: inputType, linkIds: [] });
    const socket: Socket = { name, type: inputType, link: null };
    sockets.push(socket);
    return socket;
  };

  const graph: Graph = {
    writer: inner,
    prefix: `${around.prefix}${String(host)}:`,
    depth: around.depth + 1,
    outside: (link) => {
      const key = `${link.from} ${link.slot}`;
      const slot = slotOf.get(key) ?? inputs.length;
      if (!slotOf.has(key)) {
        slotOf.set(key, slot);
        const socket = addInput(random.chance(0.2) ? 'same name' : `input ${slot}`, typeOf(link));
        connect(detour(sourceOf(link), socket.type), host, sockets, socket);
      }
      return { id: -10, slot };
    },
    promote: (widget, value, id, innerSockets, innerSocket) => {
      if (usesProxies) {
        proxies.push([[String(id), widget.name], value]);
        return;
      }
      const slot = inputs.length;
      const socket = addInput(`promoted ${slot}`, widget.type);
      inner.connect({ id: -10, slot }, id, innerSockets, innerSocket);
      const isPromotedAgain = around.promote !== undefined && random.chance(0.3);
      values.set(slot, isPromotedAgain ? staleValue(value) : value);
      if (isPromotedAgain) around.promote(socket, value, host, sockets, socket);
    },
  };
  const innerSource = writeRange(state, writing, graph, range);
  // An input that feeds a widget has a value as well, which a link to the instance replaces.
  for (const slot of inner.widgetSlots()) {
    sockets[slot]!.widget = { name: sockets[slot]!.name };
    if (!values.has(slot)) values.set(slot, 'stale');
  }
  state.subgraphs.push({
    id: type,
    name: type,
    version: 1,
    inputs,
    outputs,
    nodes: inner.nodes,
    links: inner.links,
  });
  addNode(host, type, sockets, {
    widgets_values: usesProxies
      ? proxies.map(([, value]) => value)
      : inputs.flatMap((_, slot) => (values.has(slot) ? [values.get(slot)] : [])),
    properties: usesProxies ? { proxyWidgets: proxies.map(([entry]) => entry) } : {},
  });
  if (random.chance(0.2)) addNode(newId(), type, [], { mode: random.pick([2, 4]) });
  return (link) => {
    const slot = outputs.length;
    const socket: Socket = { name: `output ${slot}`, type: typeOf(link), link: null };
    outputs.push({ id: socket.name, name: socket.name, type: socket.type });
    const before = Array.from({ length: slot }, (): Socket => ({ ...socket }));
    inner.connect(inner.detour(innerSource(link), socket.type), -20, [...before, socket], socket);
    return { id: host, slot };
  };
};

/** What stands in a graph without being part of it. */
const addStrays = ({ addNode, newId, deadEnd, connect }: GraphWriter, random: Random): void => {
  if (random.chance(0.5))
    addNode(newId(), random.pick(['Note', 'MarkdownNote']), [], { widgets_values: ['# read me'] });
  if (random.chance(0.3)) addNode(newId(), 'PrimitiveNode', [], { widgets_values: [1, 'fixed'] });
  if (random.chance(0.3)) addNode(newId(), 'Reroute', [{ name: '', type: '*', link: null }]);
  if (random.chance(0.3)) {
    const id = newId();
    const socket: Socket = { name: 'saved', type: 'IMAGE', link: null };
    connect(deadEnd('IMAGE'), id, [socket], socket);
    addNode(id, 'Save IMAGE', [socket], { mode: 2 });
  }
};
