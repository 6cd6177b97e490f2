import { type Either, right } from '../../core/protocol/either.js';
import { findNamedNode, findNode, type NamedNodes, nodesNamed, unknownName } from './find-node.js';
import type { InputPlace, InputTarget, InvalidTarget } from './target.js';
import { factsOf, type NodeFacts } from './node-facts.js';
import { readingsOf } from './name.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Finds the input that a target means, or a name, `NODE.INPUT`: of its readings the first whose node is there. */
export type FindPlace = (target: InputTarget | string) => Either<InvalidTarget, InputPlace>;

/** Makes a {@link FindPlace} of a workflow, which reads its nodes at the first target that needs them, and for all of them. */
export const inputFinder = (workflow: Workflow): FindPlace => {
  const namesIn = namesOnce(workflow);
  return (target) => {
    if (typeof target !== 'string') {
      const node = findNode(workflow, target, namesIn);
      return node._tag === 'Left' ? node : right({ nodeId: node.right, input: target.input });
    }
    const { nodes, named } = namesIn();
    const readings = readingsOf(target);
    for (const { node, input } of readings) {
      const found = findNamedNode(named.get(node) ?? [], node);
      if (found !== undefined) return found._tag === 'Left' ? found : right({ nodeId: found.right, input });
    }
    return unknownName(nodes, readings[0]?.node ?? target);
  };
};

/** Makes a function that finds the same inputs by their names, and says of others only that they are not there: that takes no time. */
export const placeFinder = (workflow: Workflow): ((name: string) => InputPlace | undefined) => {
  const namesIn = namesOnce(workflow);
  return (name) => {
    const { named } = namesIn();
    for (const { node, input } of readingsOf(name)) {
      const [first, ...others] = nodesNamed(named.get(node) ?? [], node).matching;
      if (first !== undefined) return others.length === 0 ? { nodeId: first.id, input } : undefined;
    }
    return undefined;
  };
};

/** Gives the nodes of a workflow, and those that each text may name. */
const namesOnce = (workflow: Workflow): (() => NamedNodes) => {
  let known: NamedNodes | undefined;
  return () => (known ??= namesOf(workflow));
};

const namesOf = (workflow: Workflow): NamedNodes => {
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
