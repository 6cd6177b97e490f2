import type { InspectedNode } from './inspected.js';
import type { UiWorkflow } from '../../workflow.js';

type Json = Readonly<Record<string, unknown>>;

/** The nodes of the editor's file as it has them, those inside its subgraphs included: values, notes, modes and packs. */
export const editorNodes = (ui: UiWorkflow): readonly InspectedNode[] =>
  graphsIn(ui).flatMap(({ nodes, inside }) =>
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
    }),
  );

/** The root and the definitions of subgraphs, by their names. */
const graphsIn = (
  ui: UiWorkflow,
): readonly { readonly nodes: readonly Json[]; readonly inside?: string }[] => [
  { nodes: listOf(ui.nodes) },
  ...listOf(objectOf(ui['definitions'])['subgraphs']).map(({ nodes, name, id }) => ({
    nodes: listOf(nodes),
    inside: typeof name === 'string' ? name : String(id),
  })),
];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
