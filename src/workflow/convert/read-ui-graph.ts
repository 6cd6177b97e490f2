import {
  type BoundarySlot,
  outputBoundary,
  type Socket,
  type UiGraph,
  type UiLink,
  type UiNode,
} from './ui-graph.js';
import { type ClassDefinition, readDefinition } from '../definitions.js';
import type { Context } from './context.js';
import { currentType, kindOfType } from './node-kind.js';
import { duplicateId } from './context.js';
import { error, problemOf } from '../validate/finding.js';
import { idOf, type Json, listOf, objectOf, textOf } from '../values.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { planOf } from './widget-plan.js';

/** Reads the nodes and links of a graph; what is no node is an error, as it can't be converted. */
export const readUiGraph = (context: Context, raw: Json, definitionId = ''): UiGraph => {
  const nodeOf = new Map<string, UiNode>();
  for (const item of listOf(raw['nodes'])) {
    const node = readNode(context, objectOf(item));
    if (!node) context.report(error('invalid_node', 'An entry of "nodes" has no id or no type.'));
    else if (nodeOf.has(node.id))
      context.report(problemOf({ id: node.id, className: node.type }, duplicateId()));
    else nodeOf.set(node.id, node);
  }
  const nodes = [...nodeOf.values()];
  const linkOf = readLinks(raw['links']);
  const outputLinks = [...linkOf.values()].filter(({ targetId }) => targetId === outputBoundary);
  const setNodeOf = new Map<unknown, UiNode>();
  for (const node of nodes) {
    const [name] = node.values;
    if (node.kind === 'set' && name !== undefined && !setNodeOf.has(name)) setNodeOf.set(name, node);
  }
  return {
    definitionId,
    nodes,
    nodeOf,
    linkOf,
    outputLinkOf: new Map(outputLinks.map((link) => [link.targetSlot, link])),
    setNodeOf,
    inputs: listOf(raw['inputs']).map(readBoundarySlot),
    outputs: listOf(raw['outputs']).map(readBoundarySlot),
  };
};

const readNode = ({ definitions, isSubgraph }: Context, raw: Json): UiNode | undefined => {
  const { type: given, mode, title, inputs } = raw;
  const id = idOf(raw['id']);
  if (id === undefined || typeof given !== 'string') return undefined;
  const type = currentType(given);
  const kind = isSubgraph(given) ? 'subgraph' : kindOfType(type);
  const definition = kind === 'class' ? readDefinition(definitions, type) : undefined;
  return {
    id,
    type,
    kind,
    isMuted: mode === 2,
    isBypassed: mode === 4,
    title: textOf(title) ?? definition?.displayName ?? type,
    definition,
    plan: definition && planOf(definition),
    sockets: listOf(inputs).map((item) => readSocket(item, definition)),
    values: listOf(raw['widgets_values']),
    raw,
  };
};

const readSocket = (item: unknown, definition: ClassDefinition | undefined): Socket => {
  const { name: given, type, link, widget } = objectOf(item);
  const name = textOf(given);
  return {
    name,
    type: typeOfSlot(definition?.inputOf(name)?.type, type),
    link: idOf(link),
    widget: isJsonObject(widget) ? (textOf(widget['name']) ?? name) : undefined,
  };
};

/** The type that a definition has for a slot, or the file's where the editor works it out of what is linked, and saves it so. */
export const typeOfSlot = (declared: string | undefined, inFile: unknown): string =>
  declared === undefined || declared === 'COMFY_MATCHTYPE_V3' ? slotType(inFile) : declared;

/** Links by id; entries that are none (`null` happens) are left out, so a node that names one of them is a problem. */
const readLinks = (links: unknown): ReadonlyMap<string, UiLink> => {
  const linkOf = new Map<string, UiLink>();
  for (const item of listOf(links)) {
    const link = objectOf(item);
    const members: readonly unknown[] = Array.isArray(item) ? item : linkMembers.map((name) => link[name]);
    const [id, originId, originSlot, targetId, targetSlot] = members;
    const key = idOf(id);
    const origin = idOf(originId);
    if (key === undefined || origin === undefined) continue;
    linkOf.set(key, {
      originId: origin,
      originSlot: Number(originSlot),
      targetId: idOf(targetId) ?? '',
      targetSlot: Number(targetSlot),
    });
  }
  return linkOf;
};

const linkMembers = ['id', 'origin_id', 'origin_slot', 'target_id', 'target_slot'];

const readBoundarySlot = (slot: unknown): BoundarySlot => {
  const { name, type } = objectOf(slot);
  return { name: textOf(name) ?? '', type: slotType(type) };
};

/** The type of a slot as text; `*` for any. */
export const slotType = (type: unknown): string => {
  const text = Array.isArray(type) ? 'COMBO' : idOf(type);
  return text === undefined || text === '' || type === 0 ? '*' : text;
};
