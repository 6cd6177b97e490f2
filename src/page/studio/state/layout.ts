import * as dagre from '@dagrejs/dagre';
import type { UiWorkflow, Workflow } from '../../../index.js';

/** A node of the graph with its place. */
export interface PlacedNode {
  readonly id: string;
  readonly title: string;
  readonly class: string;
  readonly x: number;
  readonly y: number;
}

/** A link between two nodes. */
export interface PlacedLink {
  readonly from: string;
  readonly to: string;
}

/** The graph as it is drawn. */
export interface PlacedGraph {
  readonly nodes: readonly PlacedNode[];
  readonly links: readonly PlacedLink[];
  readonly width: number;
  readonly height: number;
}

/** The size of every node. */
export const nodeSize = { width: 190, height: 62 } as const;

const gap = 20;

/** Places the nodes of a workflow where its author has drawn them; what no author has drawn is laid out from the left to the right. */
export const placeNodes = (workflow: Workflow, ui?: UiWorkflow): PlacedGraph => {
  const links = linksOf(workflow);
  const drawn = drawnPlaces(ui);
  const ids = Object.keys(workflow);
  const places = ids.every((id) => drawn.has(id)) ? apart(drawn) : laidOut(ids, links);
  const nodes = ids.map((id) => {
    const node = workflow[id];
    const { x, y } = places.get(id) ?? { x: 0, y: 0 };
    return { id, x, y, class: node?.class_type ?? '', title: node?._meta?.title ?? node?.class_type ?? id };
  });
  const [left, top] = [Math.min(0, ...nodes.map(({ x }) => x)), Math.min(0, ...nodes.map(({ y }) => y))];
  const moved = nodes.map((node) => ({ ...node, x: node.x - left + gap, y: node.y - top + gap }));
  return {
    nodes: moved,
    links,
    width: Math.max(...moved.map(({ x }) => x), 0) + nodeSize.width + gap,
    height: Math.max(...moved.map(({ y }) => y), 0) + nodeSize.height + gap,
  };
};

interface Place {
  readonly x: number;
  readonly y: number;
}

/** What is used of dagre, whose own types name a package that is not installed with it. */
interface LayoutGraph {
  readonly setGraph: (options: object) => void;
  readonly setDefaultEdgeLabel: (label: () => object) => void;
  readonly setNode: (id: string, size: object) => void;
  readonly setEdge: (from: string, to: string) => void;
  readonly node: (id: string) => Place;
}
const { graphlib, layout } = dagre as unknown as {
  readonly graphlib: { readonly Graph: new () => LayoutGraph };
  readonly layout: (graph: LayoutGraph) => void;
};

const linksOf = (workflow: Workflow): readonly PlacedLink[] =>
  Object.entries(workflow).flatMap(([to, { inputs }]) =>
    Object.values(inputs).flatMap((value) =>
      Array.isArray(value) && value.length === 2 && Object.hasOwn(workflow, String(value[0]))
        ? [{ from: String(value[0]), to }]
        : [],
    ),
  );

const laidOut = (ids: readonly string[], links: readonly PlacedLink[]): ReadonlyMap<string, Place> => {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 56 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of ids) graph.setNode(id, { ...nodeSize });
  for (const { from, to } of links) graph.setEdge(from, to);
  layout(graph);
  return new Map(
    ids.map((id) => {
      const { x, y } = graph.node(id);
      return [id, { x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 }];
    }),
  );
};

/** Where the nodes of an editor's file stand; those within subgraphs have other ids, and none. */
const drawnPlaces = (ui: UiWorkflow | undefined): ReadonlyMap<string, Place> => {
  const nodes: unknown = (ui as { readonly nodes?: unknown } | undefined)?.nodes;
  if (!Array.isArray(nodes)) return new Map();
  return new Map(
    nodes.flatMap((node: { readonly id?: unknown; readonly pos?: unknown } | null) => {
      const pos = node?.pos as { readonly [at: number]: unknown } | undefined;
      const [x, y] = [Number(pos?.[0]), Number(pos?.[1])];
      return Number.isFinite(x) && Number.isFinite(y) ? [[String(node?.id), { x, y }] as const] : [];
    }),
  );
};

/** An author's nodes have sizes of their own, mostly larger ones: these are drawn closer, in the same order. */
const apart = (drawn: ReadonlyMap<string, Place>): ReadonlyMap<string, Place> =>
  new Map([...drawn].map(([id, { x, y }]) => [id, { x: x * 0.7, y: y * 0.5 }]));
