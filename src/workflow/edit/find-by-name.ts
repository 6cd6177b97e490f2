import { type Either, right } from '../../core/protocol/either.js';
import { findNamedNode, unknownName } from './find-node.js';
import type { InputPlace, InvalidTarget } from './target.js';
import { factsOf } from './node-facts.js';
import { readingsOf } from './name.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Finds the input that a name, `NODE.INPUT`, means: of its readings the first whose node is there. */
export const findByName = (workflow: Workflow, name: string): Either<InvalidTarget, InputPlace> => {
  const nodes = factsOf(workflow);
  const readings = readingsOf(name);
  for (const { node, input } of readings) {
    const found = findNamedNode(nodes, node);
    if (found !== undefined) return found._tag === 'Left' ? found : right({ nodeId: found.right, input });
  }
  return unknownName(nodes, readings[0]?.node ?? name);
};
