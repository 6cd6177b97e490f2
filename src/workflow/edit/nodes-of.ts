import { isLink, type Workflow } from '../../core/protocol/workflow.js';
import { factsOf, type NodeFacts } from './node-facts.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { namePart } from './name.js';

/** A link of a workflow: the output of another node. */
export interface LinkedOutput {
  /** The id of the node that the value comes from. */
  readonly nodeId: string;
  /** The number of its output, from 0. */
  readonly slot: number;
}

/** One node of a workflow, and how to name it. */
export interface NodeSummary {
  /** Its id. */
  readonly id: string;
  /** Its class. */
  readonly class: string;
  /** Its title in the editor. */
  readonly title?: string;
  /** What names it before the point of a name: its title, else its class, else its id; `#3` where all of that means another node. */
  readonly name: string;
  /** The inputs with a value of their own, by name; a wrapped list is its list. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The inputs that take the output of another node, by name. */
  readonly links: Readonly<Record<string, LinkedOutput>>;
}

/**
 * Lists the nodes of a workflow in its order, each with the name that `findInput`, `template` and `promptwire run --set` take.
 *
 * @example
 * ```ts
 * import { nodesOf } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const names = (workflow: Workflow): string[] =>
 *   nodesOf(workflow).flatMap(({ name, values }) => Object.keys(values).map((input) => `${name}.${input}`));
 * ```
 */
export const nodesOf = (workflow: Workflow): readonly NodeSummary[] => {
  const facts = factsOf(workflow);
  const nameOf = namer(facts);
  return facts.map((node) => {
    const inputs: unknown = workflow[node.id]?.inputs;
    const members = isJsonObject(inputs) ? Object.entries(inputs) : [];
    const links = members.flatMap(([input, value]) => {
      const link = linkOf(workflow, value);
      return link === undefined ? [] : [[input, link] as const];
    });
    const linked = new Set(links.map(([input]) => input));
    return {
      ...node,
      name: nameOf(node),
      values: Object.fromEntries(
        members.filter(([input]) => !linked.has(input)).map(([input, value]) => [input, unwrapped(value)]),
      ),
      links: Object.fromEntries(links),
    };
  });
};

/** Where an input takes its value from; undefined if it has one of its own. */
export const linkOf = (workflow: Workflow, value: unknown): LinkedOutput | undefined =>
  Array.isArray(value) && isLink(workflow, value)
    ? { nodeId: value[0] as string, slot: value[1] as number }
    : undefined;

/** The value that an input holds, without the wrapping of lists. */
export const unwrapped = (value: unknown): unknown =>
  isJsonObject(value) && Object.hasOwn(value, '__value__') ? value['__value__'] : value;

/** Makes the function that names nodes, by the first of title, class and id that means no other node. */
export const namer = (nodes: readonly NodeFacts[]): ((node: NodeFacts) => string) => {
  const titles = counts(nodes.map(({ title }) => title));
  const classes = counts(nodes.map((node) => node.class));
  return ({ id, title, class: className }) => {
    if (title !== undefined && titles.get(title) === 1) return namePart(title);
    if (className !== '' && classes.get(className) === 1 && !titles.has(className))
      return namePart(className);
    return namePart(titles.has(id) || classes.has(id) || id === '' ? `#${id}` : id);
  };
};

const counts = (names: readonly (string | undefined)[]): ReadonlyMap<string | undefined, number> => {
  const found = new Map<string | undefined, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
};
