import type { Random } from '../../simulation/random.js';
import { type DrawnWidget, type Entry, isWidget } from './draw-classes.js';
import type { Mistake, OriginLink, OriginNode } from './draw-origin.js';
import type { GraphWriter, Socket, Source } from './graph-writer.js';

/** One graph of the file, seen from the nodes in it. */
export interface Graph {
  readonly writer: GraphWriter;
  /** The ids of the instances around it, as the API format has them. */
  readonly prefix: string;
  readonly depth: number;
  /** Brings the output of a node around it inside. */
  readonly outside: (link: OriginLink) => Source;
  /** Gives the value of a widget to the instance around; undefined for the root. */
  readonly promote?: (
    widget: Pick<DrawnWidget, 'name' | 'type'>,
    value: unknown,
    id: number | string,
    sockets: readonly Socket[],
    socket: Socket,
  ) => void;
}

/** What the nodes of one file share. */
export interface Writing {
  readonly random: Random;
  readonly nodes: readonly OriginNode[];
  readonly mistake?: Mistake;
  /** Whether the file is as older editors write it. */
  readonly isOld: boolean;
  /** What the file is to become, by index of the node: its id, and its inputs without links. */
  readonly ids: string[];
  readonly inputs: Record<string, unknown>[];
}

/** What gives the value of a widget: the node itself, a link that brings nothing, a primitive node, or the instance around it. */
const fates = ['node', 'node', 'node', 'nothing', 'primitive', 'instance'] as const;

/** Writes a node, and what gives values to its widgets. */
export const writeNode = (
  { random, nodes, mistake, isOld, ids, inputs }: Writing,
  { writer, prefix, promote }: Graph,
  at: number,
  sourceOf: (link: OriginLink) => Source,
): number | string => {
  const { newId, addNode, connect, detour, deadEnd } = writer;
  const { drawn, entries, links } = nodes[at]!;
  const id = newId();
  ids[at] = prefix + String(id);
  inputs[at] = Object.fromEntries(
    [...entries.values()].flatMap((own) => own.map(({ name, sent }) => [name, sent])),
  );
  // Exported files, and those of older editors, lack the sockets of widgets without a link.
  const isExported = isOld || random.chance(0.3);
  const inFile = new Map(entries);
  const sockets: Socket[] = drawn.sockets.map(({ name, type }) => ({ name, type, link: null }));
  const feeds = new Map<string, (socket: Socket) => void>();
  for (const { name, type, group } of drawn.sockets)
    if (!links.has(name) && group === 'optional' && type !== 'INT' && random.chance(0.3))
      feeds.set(name, (socket) => connect(detour(deadEnd(type), type), id, sockets, socket));

  for (const widget of drawn.widgets) {
    const { name, type } = widget;
    const [entry, ...more] = entries.get(name)! as readonly [Entry, ...Entry[]];
    const { value } = entry;
    const isOwn =
      more.length > 0 || typeof value === 'bigint' || (mistake?.node === at && mistake.input === name);
    const fate = links.has(name) || isOwn ? 'node' : random.pick(fates);
    const makeStale = () => inFile.set(name, [{ ...entry, value: staleValue(value) }]);
    if (fate === 'nothing') {
      feeds.set(name, (socket) => connect({ ...deadEnd('MODEL'), slot: 1 }, id, sockets, socket));
    } else if (fate === 'primitive') {
      makeStale();
      feeds.set(name, (socket) => {
        const primitive = newId();
        addNode(primitive, 'PrimitiveNode', [], {
          mode: random.pick([0, 0, 2, 4]),
          outputs: [{ name: type, type }],
          widgets_values: [value, 'randomize', ...(type === 'COMBO' ? [''] : [])],
        });
        connect({ id: primitive, slot: 0 }, id, sockets, socket);
      });
    } else if (fate === 'instance' && promote !== undefined) {
      makeStale();
      // The value of an instance reaches the API format as it is.
      inputs[at][name] = value;
      feeds.set(name, (socket) => promote(widget, value, id, sockets, socket));
    }
    if (!isExported || links.has(name) || feeds.has(name))
      sockets.push({ name, type, widget: { name }, link: null });
  }
  for (const socket of sockets) {
    feeds.get(socket.name)?.(socket);
    const link = links.get(socket.name);
    if (link !== undefined) connect(detour(sourceOf(link), socket.type), id, sockets, socket);
  }
  addNode(id, drawn.name, sockets, {
    outputs: drawn.outputs.map((type) => ({ name: type, type, links: [] })),
    widgets_values: valuesOf(nodes[at]!, inFile, { random, isOld }),
  });
  return id;
};

/** Another value, which must not reach the API format. */
export const staleValue = (value: unknown): unknown =>
  typeof value === 'number' ? value + 1000 : typeof value === 'boolean' ? !value : `stale ${String(value)}`;

const valuesOf = (
  { drawn }: OriginNode,
  entries: ReadonlyMap<string, readonly Entry[]>,
  { random, isOld }: Pick<Writing, 'random' | 'isOld'>,
): unknown => {
  const all = drawn.widgets.map((widget) => ({ widget, own: entries.get(widget.name)! }));
  if (random.chance(0.1))
    return Object.fromEntries([
      ...all.flatMap(({ own }) => own.map(({ name, value }) => [name, value] as const)),
      ['videopreview', {}],
    ]);
  const isSimple = all.every(({ own }) => own.length === 1 && own[0]!.after.length === 0);
  if (isOld && isSimple)
    return [
      ...drawn.inputs.flatMap((input) =>
        isWidget(input) ? entries.get(input.name)!.flatMap(flat) : isForced(input) ? [0] : [],
      ),
      ...drawn.atEnd,
    ];
  const values = [...all.flatMap(({ own }) => own.flatMap(flat)), ...drawn.atEnd];
  // Where the last values are defaults, files may lack them.
  while (drawn.atEnd.length === 0 && random.chance(0.3)) {
    const last = all.pop();
    if (last?.own.length !== 1 || last.own[0]?.value !== last.widget.defaultValue) break;
    values.pop();
  }
  return values;
};

const flat = ({ value, after }: Entry): readonly unknown[] => [value, ...after];

/** Before 1.16 the editor kept a value for an input with `forceInput` as well. */
const isForced = ({ spec }: { readonly spec: readonly unknown[] }): boolean => spec.length > 1;
