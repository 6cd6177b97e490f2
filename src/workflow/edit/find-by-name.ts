import { type Either, right } from '../../core/protocol/either.js';
import { findNamedNode, unknownName } from './find-node.js';
import type { InputPlace, InvalidTarget } from './target.js';
import { factsOf, type NodeFacts } from './node-facts.js';
import { readingsOf } from './name.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Finds the input that a name, `NODE.INPUT`, means: of its readings the first whose node is there. */
export type FindInputByName = (name: string) => Either<InvalidTarget, InputPlace>;

/** Makes a {@link FindInputByName} of a workflow, which reads its nodes at the first name, and for all of them. */
export const inputFinder = (workflow: Workflow): FindInputByName => {
  let known: ReturnType<typeof namesIn> | undefined;
  return (name) => {
    known ??= namesIn(workflow);
    const { nodes, named } = known;
    const readings = readingsOf(name);
    for (const { node, input } of readings) {
      const found = findNamedNode(named.get(node) ?? [], node);
      if (found !== undefined) return found._tag === 'Left' ? found : right({ nodeId: found.right, input });
    }
    return unknownName(nodes, readings[0]?.node ?? name);
  };
};

/** The nodes of a workflow, and those that each text may name. */
const namesIn = (workflow: Workflow) => {
  const nodes = factsOf(workflow);
  const named = new Map<string, NodeFacts[]>();
  for (const node of nodes) {
    const { id, class: className, title = className } = node;
    for (const name of new Set([title, className, id, `#${id}`])) {
      const others = named.get(name);
      if (others === undefined) named.set(name, [node]);
      else others.push(node);
    }
  }
  return { nodes, named };
};
