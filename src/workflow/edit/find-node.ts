import { type Either, left, right } from '../../core/protocol/either.js';
import type { NodeFacts } from './node-facts.js';
import type { InvalidTarget, NodeTarget } from './target.js';
import { likeIt, nearestNames } from './nearest-names.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** The nodes of a workflow, and those that each text may name: by title, class or id. */
export interface NamedNodes {
  readonly nodes: readonly NodeFacts[];
  readonly named: ReadonlyMap<string, readonly NodeFacts[]>;
}

/** The id of the one node that has this id, title and class, as far as the target names them; `namesIn` gives the nodes of the workflow. */
export const findNode = (
  workflow: Workflow,
  { id, title, class: className }: NodeTarget,
  namesIn: () => NamedNodes,
): Either<InvalidTarget, string> => {
  if (id !== undefined && title === undefined && className === undefined && Object.hasOwn(workflow, id))
    return right(id);
  const { nodes, named } = namesIn();
  const matching = (named.get(id ?? title ?? className ?? '') ?? []).filter(
    (node) =>
      (id === undefined || node.id === id) &&
      (title === undefined || node.title === title) &&
      (className === undefined || node.class === className),
  );
  const [name, ofName, namesOf] =
    id !== undefined
      ? [id, '', (node: NodeFacts) => node.id]
      : title !== undefined
        ? [title, 'of the title ', (node: NodeFacts) => node.title ?? []]
        : [className ?? '', 'of the class ', (node: NodeFacts) => node.class];
  return only(matching, () => unknownNode(nodes, name, ofName, nodes.flatMap(namesOf)), name, ofName);
};

/**
 * The id of the node that a name means: that of its title, else of its class, else the name itself. Undefined if it means
 * none.
 */
export const findNamedNode = (
  nodes: readonly NodeFacts[],
  name: string,
): Either<InvalidTarget, string> | undefined => {
  const { matching, by } = nodesNamed(nodes, name);
  if (matching.length === 0) return undefined;
  return only(matching, () => unknownNode(nodes, name), name, `of the ${by} `);
};

/** The nodes that a name may mean, and by what. */
export const nodesNamed = (
  nodes: readonly NodeFacts[],
  name: string,
): { readonly matching: readonly NodeFacts[]; readonly by: 'title' | 'class' | 'id' } => {
  for (const by of ['title', 'class', 'id'] as const) {
    const matching = nodes.filter((node) => node[by] === name);
    if (matching.length > 0) return { matching, by };
  }
  const id = name.startsWith('#') ? name.slice(1) : undefined;
  return { matching: nodes.filter((node) => node.id === id), by: 'id' };
};

/** The error of a name that means no node. */
export const unknownName = (nodes: readonly NodeFacts[], name: string): Either<InvalidTarget, never> =>
  left(unknownNode(nodes, name));

const only = (
  [first, ...others]: readonly NodeFacts[],
  none: () => InvalidTarget,
  name: string,
  ofName: string,
): Either<InvalidTarget, string> => {
  if (first === undefined) return left(none());
  if (others.length === 0) return right(first.id);
  const nodeIds = [first, ...others].map(({ id }) => id);
  const ids = nodeIds.slice(0, 5).join(', ');
  return left(
    serviceError('AmbiguousNode', {
      name,
      nodeIds,
      message: `The workflow has ${nodeIds.length} nodes ${ofName}${JSON.stringify(name)}: ${ids}${nodeIds.length > 5 ? ', …' : ''}.`,
    }) as InvalidTarget,
  );
};

const unknownNode = (
  nodes: readonly NodeFacts[],
  name: string,
  ofName = '',
  known: readonly string[] = [...titlesOf(nodes), ...nodes.flatMap((node) => [node.class, node.id])],
): InvalidTarget => {
  const nearest = nearestNames(name, known);
  return serviceError('UnknownNode', {
    nodeId: name,
    knownNodes: nodes.map(({ id }) => id),
    nearest,
    message: `The workflow has no node ${ofName}${JSON.stringify(name)}${likeIt(nearest)}.`,
    hint: `Name a node by its title, its class or its id: ${firstNames(nodes)}.`,
  }) as InvalidTarget;
};

/** The names of the first nodes, each as a person knows it. */
const firstNames = (nodes: readonly NodeFacts[]): string =>
  [
    ...nodes.slice(0, 5).map(({ id, title, class: className }) => `${title ?? className} (${id})`),
    ...(nodes.length > 5 ? ['…'] : []),
  ].join(', ');

const titlesOf = (nodes: readonly NodeFacts[]): readonly string[] =>
  nodes.flatMap(({ title }) => title ?? []);
