import { useMemo, type ReactElement } from 'react';
import { type NodeTime, type Timeline, tookMs } from '../../state/timeline.js';
import { nodeSize, type PlacedGraph, type PlacedNode, placeNodes } from '../../state/layout.js';
import type { JobState, UiWorkflow, Workflow } from '../../../../index.js';
import { texts } from '../../texts.js';

interface GraphProps {
  readonly workflow: Workflow;
  readonly ui?: UiWorkflow | undefined;
  readonly state: JobState | undefined;
  readonly timeline: Timeline | undefined;
  /** Ids of nodes with problems. */
  readonly marked: ReadonlySet<string>;
}

/** The workflow as a graph, each node with what it does. */
const Graph = ({ workflow, ui, state, timeline, marked }: GraphProps): ReactElement => {
  const graph = useMemo(() => placeNodes(workflow, ui), [workflow, ui]);
  const times = new Map(timeline?.nodes.map((node) => [node.nodeId, node]));
  const { width, height } = graph;
  return (
    <div className="graph" tabIndex={0} role="group" aria-label={texts.graph.title(graph.nodes.length)}>
      <svg viewBox={`0 0 ${width} ${height}`} style={{ minWidth: `${Math.min(width, 720)}px` }}>
        <Links graph={graph} />
        {graph.nodes.map((node) => (
          <NodeBox
            key={node.id}
            node={node}
            state={state?.nodes[node.id]}
            time={times.get(node.id)}
            hasFailed={state?.failure?.nodeId === node.id}
            isMarked={marked.has(node.id)}
          />
        ))}
      </svg>
    </div>
  );
};

const Links = ({ graph: { nodes, links } }: { readonly graph: PlacedGraph }): ReactElement => {
  const places = new Map(nodes.map((node) => [node.id, node]));
  return (
    <g aria-hidden="true">
      {links.map(({ from, to }, at) => {
        const [start, end] = [places.get(from), places.get(to)];
        if (start === undefined || end === undefined) return null;
        const [x, y] = [start.x + nodeSize.width, start.y + nodeSize.height / 2];
        const [toX, toY] = [end.x, end.y + nodeSize.height / 2];
        const bend = Math.max(30, Math.abs(toX - x) / 2);
        return (
          <path
            key={at}
            className="graph-link"
            d={`M${x} ${y}C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}`}
          />
        );
      })}
    </g>
  );
};

interface NodeBoxProps {
  readonly node: PlacedNode;
  readonly state: JobState['nodes'][string] | undefined;
  readonly time: NodeTime | undefined;
  readonly hasFailed: boolean;
  readonly isMarked: boolean;
}

const NodeBox = ({ node, state, time, hasFailed, isMarked }: NodeBoxProps): ReactElement => {
  const phase = hasFailed ? 'failed' : (state?.phase ?? 'waiting');
  const fraction = state?.fraction ?? 0;
  const told = texts.graph.node(phase, tookMs(time));
  const { id, title, x, y } = node;
  return (
    <g
      className={`graph-node is-${phase}${isMarked ? ' is-marked' : ''}`}
      transform={`translate(${x} ${y})`}
      role="img"
      aria-label={`${title}: ${told}`}
    >
      <title>{`${title} (${id}, ${node.class})`}</title>
      <rect width={nodeSize.width} height={nodeSize.height} rx="9" />
      <text x="12" y="25" className="graph-title">
        {short(title)}
      </text>
      <text x="12" y="45" className="graph-state">
        {told}
      </text>
      {phase === 'running' && (
        <rect
          className="graph-bar"
          y={nodeSize.height - 4}
          width={nodeSize.width * fraction}
          height="4"
          rx="2"
        />
      )}
    </g>
  );
};

const short = (title: string): string => (title.length > 17 ? `${title.slice(0, 16)}…` : title);

export default Graph;
