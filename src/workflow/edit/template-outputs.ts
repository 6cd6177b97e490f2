import { type NodeDefinitions, readDefinition } from '../definitions.js';
import { factsOf } from './node-facts.js';
import { linkOf } from './nodes-of.js';
import { objectOf } from '../values.js';
import { outputNamer } from './outputs-by-title.js';
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
  const facts = factsOf(workflow);
  const nameOf = outputNamer(facts);
  const taken = new Set(
    facts.flatMap(({ id }) =>
      Object.values(objectOf(workflow[id]?.inputs)).flatMap((value) => linkOf(workflow, value)?.nodeId ?? []),
    ),
  );
  return facts
    .filter(({ id, class: name }) => readDefinition(definitions, name)?.isOutputNode ?? !taken.has(id))
    .map((node) => ({ name: nameOf(node), nodeId: node.id, class: node.class }));
};
