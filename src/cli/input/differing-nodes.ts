import { editorNodes } from './editor-nodes.js';
import { isLink } from './inspection.js';
import { toApiWorkflow, type UiWorkflow, type Workflow } from '../../workflow.js';

/**
 * The nodes by which an executed graph differs from the editor's file beside it: those of another class, those that one of them lacks,
 * those with a value that the file does not have, and those with another link. Nodes inside subgraphs are not compared.
 */
export const differingNodes = (workflow: Workflow, ui: UiWorkflow): readonly string[] => {
  const inFile = new Map(
    editorNodes(ui).flatMap((node) => (node.inside === undefined ? [[node.nodeId, node] as const] : [])),
  );
  const nodes = ui.nodes.filter(isObject);
  const { nodeMap } = toApiWorkflow(ui);
  // Without values, which only definitions could name, the conversion tells how nodes are linked.
  const bare = nodes.map((node) =>
    Object.hasOwn(nodeMap, String(node['id'])) ? { ...node, widgets_values: [] } : node,
  );
  const { workflow: converted = {} } = toApiWorkflow({ ...ui, nodes: bare });
  const isRelinked = (id: string): boolean =>
    Object.entries(converted[id]?.inputs ?? {}).some(([name, value]) => {
      const other = workflow[id]?.inputs[name];
      return isLink(value) && isLink(other) && String(value) !== String(other);
    });
  // A node without links may be one that only the editor has.
  const added = nodes
    .filter((node) => hasLink(node['inputs'], 'link') || hasLink(node['outputs'], 'links'))
    .map((node) => String(node['id']))
    .filter((id) => Object.hasOwn(nodeMap, id) && !Object.hasOwn(workflow, id));
  const changed = Object.entries(workflow).flatMap(([id, { class_type: className, inputs }]) => {
    if (id.includes(':')) return [];
    const node = inFile.get(id);
    if (node === undefined || node.class !== className || isRelinked(id)) return [id];
    if (node.values === undefined) return [];
    const values = new Set(node.values.map(String));
    const isOther = (value: unknown): boolean =>
      ['string', 'number', 'bigint', 'boolean'].includes(typeof value) && !values.has(String(value));
    // A dynamic prompt or a name with a date is another text once it has run.
    const isMade = node.values.some((value) => typeof value === 'string' && /[{%]|\/[/*]/u.test(value));
    return !isMade && Object.values(inputs).some(isOther) ? [id] : [];
  });
  return [...changed, ...added];
};

/** Whether one of the sockets of a node has a link. */
const hasLink = (sockets: unknown, member: 'link' | 'links'): boolean =>
  Array.isArray(sockets) &&
  sockets.some((socket: unknown) => {
    const value = isObject(socket) ? socket[member] : undefined;
    return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
  });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
