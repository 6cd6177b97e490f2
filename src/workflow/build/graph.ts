import type { BuiltNode, Inputs, Literal, NodeOptions, Output, UnknownNode } from './output.js';
import { collectNodes } from './collect-nodes.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** What every graph has besides the classes of its declarations. */
export interface GraphMembers<Nodes extends object> {
  /** Adds a node of a declared class by its name, also where the name is no identifier. */
  readonly node: <Name extends keyof Nodes & string>(
    className: Name,
    ...args: ArgumentsOf<Nodes[Name]>
  ) => NodeOf<Nodes[Name]>;
  /** Adds a node of a class without declarations. The compiler checks neither its inputs nor its outputs. */
  readonly unknown: (className: string, inputs?: Inputs, options?: NodeOptions) => UnknownNode;
  /** Puts a value into an input of any type as it stands; a list of two may be a link then. */
  readonly raw: (value: Literal) => Output<never>;
  /** The workflow so far: a copy, in the order in which the nodes were added. */
  readonly workflow: () => Workflow;
}

/** A workflow that is being built: one method for each class of `Nodes`, and the members of every graph. */
export type GraphBuilder<Nodes extends object> = GraphMembers<Nodes> & Nodes;

/** The arguments with which a graph makes a node of a class. */
export type ArgumentsOf<Make> = Make extends (...args: infer Args) => unknown ? Args : never;

/** The node that a graph makes of a class. */
export type NodeOf<Make> = Make extends (...args: never) => infer Node ? Node : never;

/**
 * Starts a workflow of the node classes that `promptwire types` has declared.
 *
 * Each call of a class, as in `g.KSampler(inputs, options)`, adds a node and returns it. Its outputs, by name and slot
 * (`checkpoint.MODEL_0`) or by slot alone (`checkpoint[0]`), go into inputs of later nodes. Lists become `{ __value__: [...] }`, which the
 * service takes for a value. A class that has the name of a member of every graph, such as `workflow`, is `g.node('workflow', …)`.
 *
 * Throws `InvalidWorkflow`, a `ServiceError`, for an output of another graph, for an id that the graph has already, and for a node in
 * place of one of its outputs.
 *
 * @example
 * ```ts
 * import { graph, type BuiltNode, type Input, type NodeOptions, type Output } from 'promptwire/workflow';
 *
 * interface Nodes {
 *   LoadImage(inputs: { readonly image: string }, options?: NodeOptions): BuiltNode & { readonly IMAGE_0: Output<'IMAGE'> };
 *   SaveImage(inputs: { readonly images: Input<'images', 'IMAGE'> }, options?: NodeOptions): BuiltNode;
 * }
 *
 * const g = graph<Nodes>();
 * const picture = g.LoadImage({ image: 'a.png' }, { title: 'Picture' });
 * g.SaveImage({ images: picture.IMAGE_0 });
 * console.log(JSON.stringify(g.workflow()));
 * ```
 */
export const graph = <Nodes extends object = object>(): GraphBuilder<Nodes> => {
  const { add, raw, workflow } = collectNodes();
  const members: GraphMembers<Record<string, Make>> = { node: add, unknown: add, raw, workflow };
  return new Proxy(members, {
    get: (target, name) => memberOf(target, name),
  }) as unknown as GraphBuilder<Nodes>;
};

type Make = (inputs?: Inputs, options?: NodeOptions) => BuiltNode & UnknownNode;

const memberOf = (members: GraphMembers<Record<string, Make>>, name: string | symbol): unknown => {
  if (typeof name === 'symbol' || name in members || calledByOthers.has(name))
    return Reflect.get(members, name) as unknown;
  const make: Make = (inputs, options) => members.node(name, inputs, options);
  return make;
};

/** What the language itself looks for in any object: `await` and `JSON.stringify` add no nodes. */
const calledByOthers: ReadonlySet<string> = /* @__PURE__ */ new Set(['then', 'toJSON']);
