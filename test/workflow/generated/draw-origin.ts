import type { Random } from '../../simulation/random.js';
import { type DrawnClass, type Entry, linkTypes } from './draw-classes.js';

/** The output of a node that comes earlier. */
export interface OriginLink {
  readonly from: number;
  readonly slot: number;
}

/** One node of the workflow that a file is to become. */
export interface OriginNode {
  readonly drawn: DrawnClass;
  /** By widget, also where a link takes the place of the value. */
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
  readonly links: ReadonlyMap<string, OriginLink>;
}

/** Something that the engine refuses, and where it was planted. */
export interface Mistake {
  readonly type: string;
  readonly node: number;
  readonly input?: string;
}

/** A workflow, and the mistake that it has, if any. */
export interface Origin {
  readonly nodes: readonly OriginNode[];
  readonly mistake?: Mistake;
}

/** Draws a workflow that the engine accepts, or in half of the cases one with a mistake that it refuses. */
export const drawOrigin = (random: Random, classes: readonly DrawnClass[]): Origin => {
  const named = (name: string) => classes.find((one) => one.name === name)!;
  const chosen = [
    ...linkTypes.map((type) => named(`Source ${type}`)),
    ...Array.from({ length: random.between(1, 8) }, () => random.pick(classes)),
    ...Array.from({ length: random.between(1, 2) }, () => named(`Save ${random.pick(linkTypes)}`)),
  ];
  const nodes: OriginNode[] = [];
  for (const drawn of chosen) nodes.push(drawNode(random, drawn, nodes));
  return random.chance(0.5) ? { nodes } : plant(random, nodes);
};

const drawNode = (random: Random, drawn: DrawnClass, before: readonly OriginNode[]): OriginNode => {
  const links = new Map<string, OriginLink>();
  const connect = (input: string, type: string, likely: number): void => {
    const found = outputsOf(before, (output) => output === type);
    if (found.length > 0 && random.chance(likely)) links.set(input, random.pick(found));
  };
  for (const { name, type, group } of drawn.sockets) connect(name, type, group === 'required' ? 1 : 0.5);
  for (const { name, type } of drawn.widgets) connect(name, type, 0.2);
  const entries = new Map(
    drawn.widgets.map((widget) => {
      const { name, defaultValue } = widget;
      const isDefault = defaultValue !== undefined && random.chance(0.3);
      return [
        name,
        isDefault ? [{ name, value: defaultValue, sent: defaultValue, after: [] }] : widget.draw(random),
      ];
    }),
  );
  return { drawn, entries, links };
};

const outputsOf = (
  nodes: readonly OriginNode[],
  isWanted: (type: string) => boolean,
): readonly OriginLink[] =>
  nodes.flatMap(({ drawn }, from) =>
    drawn.outputs.flatMap((type, slot) => (isWanted(type) ? [{ from, slot }] : [])),
  );

/** Spoils one input of a node that an output needs. */
const plant = (random: Random, nodes: readonly OriginNode[]): Origin => {
  const needed = neededBy(nodes);
  const places = [...needed].flatMap((node): readonly Origin[] => {
    const { drawn, links, entries } = nodes[node]!;
    const spoilt = (type: string, input: string, more: Partial<OriginNode>): Origin => ({
      nodes: nodes.with(node, { ...nodes[node]!, ...more }),
      mistake: { type, node, input },
    });
    return [
      ...drawn.sockets
        .filter(({ name, group }) => group === 'required' && links.has(name))
        .flatMap(({ name, type }) => {
          const others = outputsOf(nodes.slice(0, node), (output) => output !== type);
          const without = new Map([...links].filter(([input]) => input !== name));
          return [
            spoilt('required_input_missing', name, { links: without }),
            spoilt('return_type_mismatch', name, { links: new Map(links).set(name, random.pick(others)) }),
          ];
        }),
      ...drawn.widgets.flatMap(({ name, mistake }) =>
        mistake === undefined || links.has(name)
          ? []
          : [
              spoilt(mistake.type, name, {
                entries: new Map(entries).set(name, [
                  { name, value: mistake.value, sent: mistake.value, after: entries.get(name)![0]!.after },
                ]),
              }),
            ],
      ),
    ];
  });
  return random.pick(places);
};

const neededBy = (nodes: readonly OriginNode[]): ReadonlySet<number> => {
  const needed = new Set(nodes.flatMap(({ drawn }, at) => (drawn.outputs.length === 0 ? [at] : [])));
  for (const at of needed) for (const { from } of nodes[at]!.links.values()) needed.add(from);
  return needed;
};
