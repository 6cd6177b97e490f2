import type { NodeResult } from '../engine/node-class.js';
import { asLink, linksOf, type GraphNode } from './graph.js';

/** Input name → value, as a node gets it. */
export type Inputs = Readonly<Record<string, unknown>>;

/** Replaces links by what the other nodes made, and takes literal arrays out of their `__value__` wrapper. */
export const resolveInputs = (node: GraphNode, known: ReadonlyMap<string, NodeResult>): Inputs =>
  Object.fromEntries(
    Object.entries(node.inputs ?? {}).map(([name, value]) => {
      const link = asLink(value);
      return [name, link ? known.get(link[0])?.values[link[1]] : unwrap(value)];
    }),
  );

/** What blocks a node: the message of a blocked input, null where a consumer further up reported it, undefined where it is not blocked. */
export const blockOf = (node: GraphNode, known: ReadonlyMap<string, NodeResult>): string | null | undefined =>
  linksOf(node)
    .map(([upstream]) => known.get(upstream)?.blocked)
    .find((blocked) => blocked !== undefined);

/** Inputs as `execution_error.current_inputs` lists them: name → list of scalars, or of a word for anything larger. */
export const describeInputs = (inputs: Inputs): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, [describeValue(value)]]));

const unwrap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '__value__' in value ? value.__value__ : value;

const describeValue = (value: unknown): unknown =>
  value === null || ['number', 'boolean', 'string'].includes(typeof value)
    ? value
    : `<${value instanceof Object ? value.constructor.name : typeof value}>`;
