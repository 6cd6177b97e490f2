import { type NodeDefinitions, readDefinition } from '../definitions.js';
import { objectOf } from '../values.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * The ids of the nodes that run: the output nodes, or those of them that are targets, and all that they need. A node of a class that the
 * definitions lack may be an output node, as the class may be installed, or known to another server.
 */
export const runningNodes = (
  workflow: Workflow,
  definitions: NodeDefinitions,
  targets?: readonly string[],
): ReadonlySet<string> => {
  const running = new Set(
    Object.keys(workflow).filter((id) => {
      const className = workflow[id]?.class_type ?? '';
      const isOutput = readDefinition(definitions, className)?.isOutputNode ?? true;
      return isOutput && (targets?.includes(id) ?? true);
    }),
  );
  // The loop comes to what it adds as well.
  for (const id of running) {
    for (const value of Object.values(objectOf(workflow[id]?.inputs))) {
      const source: unknown = Array.isArray(value) && value.length === 2 ? value[0] : undefined;
      if (typeof source === 'string' && Object.hasOwn(workflow, source)) running.add(source);
    }
  }
  return running;
};
