import { type BoundarySlot, type Socket, type UiNode } from './ui-graph.js';
import { type ClassDefinition, readDefinition } from '../definitions.js';
import type { Context } from './context.js';
import { currentType } from './node-kind.js';
import { fits } from './fits.js';
import { idOf, type Json, listAt, listOf, objectOf, textOf } from '../values.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { planOf } from './widget-plan.js';

/** Reads a node; undefined for what has no id or no type. */
export const readNode = ({ definitions, definitionOf, kindOf }: Context, raw: Json): UiNode | undefined => {
  const { type: given, mode, title } = raw;
  const id = idOf(raw['id']);
  if (id === undefined || typeof given !== 'string') return undefined;
  const type = currentType(given);
  const inner = definitionOf(given);
  const known = kindOf(type);
  const kind = inner && known === 'class' ? 'subgraph' : known;
  const definition = kind === 'class' ? readDefinition(definitions, type) : undefined;
  const plan = definition && planOf(definition);
  const declared = inner ? listOf(inner['inputs']).map(readBoundarySlot) : (plan?.declared ?? []);
  const sockets = listOf(raw['inputs']).map((item) => readSocket(item, definition));
  return {
    id,
    type,
    kind,
    isMuted: mode === 2,
    isBypassed: mode === 4,
    title: textOf(title) ?? definition?.displayName ?? type,
    definition,
    plan,
    sockets: inMemory(sockets, declared, kind === 'group'),
    outputs: outputTypes(raw, inner, definition),
    values: listOf(raw['widgets_values']),
    raw,
  };
};

/** The types of a node's outputs: those of the subgraph that it is an instance of, those of its class, else those of the file. */
const outputTypes = (
  raw: Json,
  inner: Json | undefined,
  definition: ClassDefinition | undefined,
): readonly string[] => {
  const typesIn = (one: Json): readonly unknown[] =>
    listOf(one['outputs']).map((output) => objectOf(output)['type']);
  const inFile = typesIn(raw);
  const declared = inner ? typesIn(inner) : (definition?.outputs ?? inFile);
  return declared.map((type, slot) => typeOfSlot(type, inFile[slot]));
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

/**
 * The sockets of a node as the editor has them in memory, which makes them anew from the definition: for each declared one that
 * of the file, by name, of several with one name by type and order, then what only the file has. Exported and older files leave
 * unlinked ones out. The inputs of a group node may have names that only its editor knew, as those of reroutes: the linked ones that
 * are left belong to the declared ones of their type that are left, in order.
 */
const inMemory = (
  sockets: readonly Socket[],
  declared: readonly BoundarySlot[],
  isGroup: boolean,
): readonly Socket[] => {
  if (declared.length === 0) return sockets;
  const byName = new Map<unknown, Socket[]>();
  for (const socket of sockets) listAt(byName, socket.name).push(socket);
  const found = declared.map(({ name, type }) => {
    const left = byName.get(name) ?? [];
    const sameType = left.findIndex((socket) => socket.type === type);
    return left.splice(Math.max(0, sameType), 1)[0];
  });
  const taken = new Set<Socket | undefined>(found);
  const isLeft = (socket: Socket): boolean => !taken.has(socket);
  const isRenamed = (socket: Socket, type: string): boolean =>
    isLeft(socket) && socket.link !== undefined && fits(socket.type, type);
  const first = declared.map(({ name, type }, at) => {
    const socket = found[at] ?? (isGroup ? sockets.find((one) => isRenamed(one, type)) : undefined);
    taken.add(socket);
    return { ...socket, name, type: typeOfSlot(type, socket?.type) };
  });
  return [...first, ...sockets.filter(isLeft)];
};

/** The type that a definition has for a slot, or the file's where the editor works it out of what is linked, and saves it so. */
const typeOfSlot = (declared: unknown, inFile: unknown): string =>
  slotType(declared === undefined || declared === 'COMFY_MATCHTYPE_V3' ? inFile : declared);

const readBoundarySlot = (slot: unknown): BoundarySlot => {
  const { name, type } = objectOf(slot);
  return { name: textOf(name) ?? '', type: slotType(type) };
};

/** The type of a slot as text; `*` for any. */
export const slotType = (type: unknown): string => {
  const text = Array.isArray(type) ? 'COMBO' : idOf(type);
  return text === undefined || text === '' || text === '0' ? '*' : text;
};
