import { editorNodes } from './editor-nodes.js';
import type { UiWorkflow, Workflow } from '../../workflow.js';

/**
 * The nodes by which an executed graph differs from the editor's file beside it: those of another class, those that one of them lacks, and
 * those with a value that the file does not have. Nodes inside subgraphs are not compared.
 */
export const differingNodes = (workflow: Workflow, ui: UiWorkflow): readonly string[] => {
  const inFile = new Map(
    editorNodes(ui).flatMap((node) => (node.inside === undefined ? [[node.nodeId, node] as const] : [])),
  );
  return Object.entries(workflow).flatMap(([id, { class_type: className, inputs }]) => {
    if (id.includes(':')) return [];
    const node = inFile.get(id);
    if (node === undefined || node.class !== className) return [id];
    if (node.values === undefined) return [];
    const values = new Set(node.values.map(String));
    const isOther = (value: unknown): boolean =>
      (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') &&
      !values.has(String(value));
    // A dynamic prompt or a name with a date is another text once it has run.
    const isMade = node.values.some((value) => typeof value === 'string' && /[{%]|\/[/*]/u.test(value));
    return !isMade && Object.values(inputs).some(isOther) ? [id] : [];
  });
};
