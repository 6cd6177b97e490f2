import { type Json, listOf, objectOf, textOf } from '../values.js';
import { slotType } from './read-ui-graph.js';
import { socketNamed, type UiGraph, type UiNode } from './ui-graph.js';

/** An input of a group node, and the input inside that it stands for. */
export interface GroupInput {
  readonly name: string;
  readonly nodeId: string;
  readonly input: string;
  readonly type: string;
}

/**
 * Names the inputs of a group node as the editors before 2025 do: widgets and unlinked sockets of each node in order, widgets
 * that were turned into inputs after all others. A second input of one name gets the title of its node in front.
 *
 * With them come the widgets that the entries of its `widgets_values` belong to, in the form of `proxyWidgets`; control words
 * and buttons have empty entries.
 */
export const groupInputs = (
  { nodes }: UiGraph,
  stored: Json,
): { readonly inputs: readonly GroupInput[]; readonly entries: readonly unknown[] } => {
  const inputs: GroupInput[] = [];
  const entries: unknown[] = [];
  const last: (() => void)[] = [];
  const nameOf = namer(stored);
  const links = listOf(stored['links']).map(listOf);
  /** The type of what leaves a node, else of what enters it. */
  const typeAt = (nodeId: string): string | undefined => {
    const link =
      links.find(([origin]) => String(origin) === nodeId) ??
      links.find(([, , target]) => String(target) === nodeId);
    return link && slotType(link[5]);
  };
  const skip = (count: number) => entries.push(...Array.from({ length: count }));
  const add = (node: UiNode, input: string, type: string, named = input): boolean => {
    const { name, isHidden } = nameOf(node, named);
    inputs.push({ name, nodeId: node.id, input, type });
    return isHidden;
  };

  for (const node of nodes) {
    const { id, kind, plan } = node;
    const isFree = (name: string) => socketNamed(node, name)?.link === undefined;
    if (kind === 'primitive') {
      const type = typeAt(id);
      if (type !== undefined) {
        entries.push([id, 'value']);
        skip(type === 'COMBO' ? 2 : type === 'INT' ? 1 : 0);
      }
      nameOf(node, 'value');
    } else if (kind === 'reroute') {
      const [socket] = node.sockets;
      const type = typeAt(id) ?? '*';
      if (socket?.name !== undefined && isFree(socket.name)) add(node, socket.name, type, type);
    } else if (plan) {
      for (const { name, type, entriesAfter } of plan.widgets) {
        const take = () => {
          if (add(node, name, type)) return;
          entries.push([id, name]);
          skip(entriesAfter);
        };
        if (socketNamed(node, name)?.widget === undefined) take();
        else if (isFree(name)) last.push(take);
      }
      skip(plan.entriesAtEnd);
      for (const { name, type } of plan.sockets) if (isFree(name)) add(node, name, type);
    } else if (kind === 'class' || kind === 'subgraph') {
      skip(node.values.length);
      for (const { name, type, link } of node.sockets)
        if (name !== undefined && link === undefined) add(node, name, type);
    }
  }
  for (const take of last) take();
  return { inputs, entries };
};

type NameOf = (node: UiNode, input: string) => { readonly name: string; readonly isHidden: boolean };

const namer = (stored: Json): NameOf => {
  const seen = new Map<string, number>();
  return ({ id, type, kind, raw }, input) => {
    const config = objectOf(objectOf(objectOf(objectOf(stored['config'])[id])['input'])[input]);
    const socket = listOf(raw['inputs']).find((one) => objectOf(one)['name'] === input);
    const title = textOf(raw['title']);
    let key = textOf(config['name']) || textOf(objectOf(socket)['label']) || input;
    let name = key;
    if ((kind === 'primitive' && title !== undefined) || seen.has(key)) {
      const prefix = title ?? type;
      key = name = `${prefix} ${input}`;
      const times = seen.get(key);
      if (times !== undefined) name = `${prefix} ${times} ${input}`;
    }
    seen.set(key, (seen.get(key) ?? 1) + 1);
    return { name, isHidden: config['visible'] === false };
  };
};
