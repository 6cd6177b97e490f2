import { type Context, planOfNode } from './context.js';
import type { GroupEntry, InsideLinks } from './group-links.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { type Json, listOf, objectOf } from './values.js';
import { slotType, socketNamed, socketsOf, type UiNode } from './ui-graph.js';

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
 */
export const groupInputNames = (
  context: Context,
  nodes: readonly UiNode[],
  stored: Json,
  inside: InsideLinks,
): { readonly inputs: readonly GroupInput[]; readonly entries: readonly GroupEntry[] } => {
  const inputs: GroupInput[] = [];
  const entries: GroupEntry[] = [];
  const last: (() => void)[] = [];
  const nameOf = namer(stored);
  const isLinked = (node: UiNode, name: string): boolean => {
    const slot = socketsOf(node).findIndex((socket) => objectOf(socket)['name'] === name);
    return inside.into(node.id, slot) !== undefined;
  };
  const add = (node: UiNode, input: string, type: string) => {
    const { name, isHidden } = nameOf(node, input);
    inputs.push({ name, nodeId: node.id, input, type });
    return isHidden;
  };

  for (const node of nodes) {
    const plan = planOfNode(context, node);
    if (node.kind === 'primitive') {
      const type = inside.all.find(({ link }) => link.originId === node.id)?.type;
      if (type !== undefined) entries.push({ length: 1 + controlsOf(type), nodeId: node.id });
      nameOf(node, 'value');
    } else if (node.kind === 'reroute') {
      const input = objectOf(socketsOf(node)[0])['name'];
      if (typeof input === 'string' && !isLinked(node, input)) {
        const name = nameOf(node, typeThrough(node, stored)).name;
        inputs.push({ name, nodeId: node.id, input, type: typeThrough(node, stored) });
      }
    } else if (plan !== undefined) {
      for (const { name, type, entriesAfter } of plan.widgets) {
        const isConverted = isJsonObject(socketNamed(node, name)?.['widget']);
        const entry = { length: 1 + entriesAfter, nodeId: node.id, widget: name };
        const take = () => {
          if (!add(node, name, type)) entries.push(entry);
        };
        if (!isConverted) take();
        else if (!isLinked(node, name)) last.push(take);
      }
      if (plan.entriesAtEnd > 0) entries.push({ length: plan.entriesAtEnd });
      for (const { name, type } of plan.sockets) if (!isLinked(node, name)) add(node, name, type);
    } else if (node.kind === 'class') {
      const { length } = listOf(node.raw['widgets_values']);
      if (length > 0) entries.push({ length, nodeId: node.id });
      for (const item of socketsOf(node)) {
        const { name, type } = objectOf(item);
        if (typeof name === 'string' && !isLinked(node, name)) add(node, name, slotType(type));
      }
    }
  }
  for (const take of last) take();
  return { inputs, entries };
};

/** Control entries behind the value of a primitive inside a group. */
const controlsOf = (type: string): number => (type === 'COMBO' ? 2 : type === 'INT' ? 1 : 0);

/** The type of what runs through a reroute at the border. */
const typeThrough = (node: UiNode, stored: Json): string => {
  const links = listOf(stored['links']).map(listOf);
  const own =
    links.find(([origin]) => String(origin) === node.id) ?? links.find(([, , to]) => String(to) === node.id);
  return slotType(own?.[5]);
};

type NameOf = (node: UiNode, input: string) => { readonly name: string; readonly isHidden: boolean };

const namer = (stored: Json): NameOf => {
  const seen = new Map<string, number>();
  return (node, input) => {
    const config = objectOf(objectOf(objectOf(objectOf(stored['config'])[node.id])['input'])[input]);
    const { label } = objectOf(socketNamed(node, input));
    const own = [config['name'], label].find((one) => typeof one === 'string' && one !== '');
    const title = typeof node.raw['title'] === 'string' ? node.raw['title'] : undefined;
    let key = typeof own === 'string' ? own : input;
    let name = key;
    if ((node.kind === 'primitive' && title !== undefined) || seen.has(key)) {
      const prefix = title ?? node.type;
      key = name = `${prefix} ${input}`;
      const times = seen.get(key);
      if (times !== undefined) name = `${prefix} ${times} ${input}`;
    }
    seen.set(key, (seen.get(key) ?? 1) + 1);
    return { name, isHidden: config['visible'] === false };
  };
};
