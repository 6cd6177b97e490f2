import { type NodeDefinitions, readDefinition } from '../definitions.js';
import { factsOf } from './node-facts.js';
import { nodesOf } from './nodes-of.js';
import { outputName } from './outputs-by-title.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** A node whose results a job has. */
export interface TemplateOutput {
  /** Its name, as `outputsByTitle` has it: title, else class, else id. */
  readonly name: string;
  /** Its id. */
  readonly nodeId: string;
  /** Its class. */
  readonly class: string;
}

/** The output nodes of a workflow, by the definitions; without them, and for classes that they lack, the nodes that no other takes from. */
export const templateOutputs = (
  workflow: Workflow,
  definitions: NodeDefinitions | undefined,
): readonly TemplateOutput[] => {
  const nodes = nodesOf(workflow);
  const facts = factsOf(workflow);
  const taken = new Set(nodes.flatMap(({ links }) => Object.values(links).map(({ nodeId }) => nodeId)));
  return nodes
    .filter(({ id, class: name }) => readDefinition(definitions, name)?.isOutputNode ?? !taken.has(id))
    .map((node) => ({ name: outputName(facts, node), nodeId: node.id, class: node.class }));
};
