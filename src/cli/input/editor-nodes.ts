import type { InspectedNode } from './inspected.js';
import type { UiWorkflow } from '../../workflow.js';

type Json = Readonly<Record<string, unknown>>;

/** The nodes of the editor's file as it has them, those inside its subgraphs included: values, notes, modes and packs. */
export const editorNodes = (ui: UiWorkflow): readonly InspectedNode[] => graphsIn(ui).flatMap(nodesOf);

/** Likewise, of those that a conversion leaves out: muted and bypassed ones, notes, and what is inside subgraphs that don't run. */
export const restingNodes = (ui: UiWorkflow): readonly InspectedNode[] => {
  const graphs = graphsIn(ui);
  const running = runningIn(graphs);
  return graphs.flatMap((graph) =>
    nodesOf(graph).filter(
      ({ mode, class: className }) => mode !== undefined || /Note\b/u.test(className) || !running.has(graph),
    ),
  );
};

/** The root or the definition of a subgraph. */
interface EditorGraph {
  readonly nodes: readonly Json[];
  readonly id?: unknown;
  readonly inside?: string;
}

const nodesOf = ({ nodes, inside }: EditorGraph): readonly InspectedNode[] =>
  nodes.map(({ id, type, title, mode, widgets_values: values, properties }): InspectedNode => {
    const { cnr_id: registered, aux_id: repository } = objectOf(properties);
    const pack = [registered, repository].find((name) => typeof name === 'string' && name !== '');
    const byName = isObject(values) ? values : {};
    return {
      nodeId: String(id),
      class: String(type),
      ...(typeof title === 'string' && { title }),
      ...(inside !== undefined && { inside }),
      ...(mode === 2 && { mode: 'muted' as const }),
      ...(mode === 4 && { mode: 'bypassed' as const }),
      ...(typeof pack === 'string' && { pack }),
      inputs: byName,
      ...(Array.isArray(values) && { values }),
    };
  });

/** The root, then the definitions of subgraphs. */
const graphsIn = (ui: UiWorkflow): readonly EditorGraph[] => [
  { nodes: listOf(ui.nodes) },
  ...listOf(objectOf(ui['definitions'])['subgraphs']).map(({ nodes, name, id }) => ({
    id,
    nodes: listOf(nodes),
    inside: typeof name === 'string' ? name : String(id),
  })),
];

/** The root and the definitions that a running instance unfolds. */
const runningIn = ([root, ...definitions]: readonly EditorGraph[]): ReadonlySet<EditorGraph> => {
  const running = new Set(root === undefined ? [] : [root]);
  // A set goes on with what is added while it is read.
  for (const { nodes } of running)
    for (const { type, mode } of nodes) {
      const definition = definitions.find(({ id }) => id === type);
      if (definition !== undefined && mode !== 2 && mode !== 4) running.add(definition);
    }
  return running;
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
