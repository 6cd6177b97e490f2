import type { BuiltNode, Inputs, Literal, NodeOptions, Output, UnknownNode } from './output.js';
import type { ServiceErrorOf } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Workflow, WorkflowNode } from '../../core/protocol/workflow.js';

/** The nodes of one graph, and what adds one. */
export interface Collection {
  readonly add: (className: string, inputs?: Inputs, options?: NodeOptions) => BuiltNode & UnknownNode;
  readonly raw: (value: Literal) => Output<never>;
  readonly workflow: () => Workflow;
}

/** Collects the nodes of one graph. */
export const collectNodes = (): Collection => {
  const nodes = new Map<string, WorkflowNode>();
  const values = new WeakMap<object, unknown>();
  let last = 0;

  const freeId = (): string => {
    do last += 1;
    while (nodes.has(String(last)));
    return String(last);
  };

  /** An output of this graph, or a value that stands for one. */
  const newOutput = (nodeId: string, slot: number, value: unknown): Output<never> => {
    const output = Object.freeze({ nodeId, slot }) as Output<never>;
    outputs.add(output);
    values.set(output, value);
    return output;
  };

  const valueOf = (given: Literal | Output<string>, where: string): unknown => {
    if (typeof given !== 'object' || given === null) return given;
    if (values.has(given)) return values.get(given);
    if (outputs.has(given))
      throw refusal(`${where} is an output of another graph.`, 'Build both nodes in one graph.');
    if (built.has(given))
      throw refusal(`${where} is a node, and needs one of its outputs.`, 'Name the output, such as node[0].');
    if (!Array.isArray(given)) return structuredClone(given);
    if (given.some((item) => outputs.has(item as object)))
      throw refusal(`${where} is a list of outputs.`, 'An input takes one output.');
    return { __value__: structuredClone(given) };
  };

  const add: Collection['add'] = (className, inputs = {}, { id = freeId(), title, extra = {} } = {}) => {
    const name = `node ${JSON.stringify(id)} (${className})`;
    if (nodes.has(id))
      throw refusal(
        `The graph has a node ${JSON.stringify(id)} already.`,
        'Give each node an id of its own.',
      );
    const entries = Object.entries({ ...extra, ...inputs }).flatMap(([input, given]) =>
      given === undefined
        ? []
        : [[input, valueOf(given, `The input ${JSON.stringify(input)} of ${name}`)] as const],
    );
    nodes.set(id, {
      class_type: className,
      inputs: Object.fromEntries(entries),
      ...(title !== undefined && { _meta: { title } }),
    });
    return builtNode(id, (slot) => newOutput(id, slot, [id, slot]));
  };

  return {
    add,
    raw: (value) => newOutput('', 0, structuredClone(value)),
    workflow: () =>
      Object.fromEntries([...nodes].map(([id, node]) => [id, { ...node, inputs: { ...node.inputs } }])),
  };
};

/** The outputs of all graphs. */
const outputs = /* @__PURE__ */ new WeakSet();

/** The nodes of all graphs. */
const built = /* @__PURE__ */ new WeakSet();

/** A node whose outputs go by the number at the end of their names, as the declarations write them: `MODEL_0`, or `0`. */
const builtNode = (id: string, outputAt: (slot: number) => Output<never>): BuiltNode & UnknownNode => {
  const node: BuiltNode & UnknownNode = { id, output: outputAt };
  const proxy = new Proxy(node, {
    get: (target, name) => {
      const slot = typeof name === 'string' ? /(?:^|_)(\d+)$/u.exec(name)?.[1] : undefined;
      return slot === undefined ? (Reflect.get(target, name) as unknown) : outputAt(Number(slot));
    },
  });
  built.add(proxy);
  return proxy;
};

const refusal = (message: string, hint: string): ServiceErrorOf<'InvalidWorkflow'> =>
  serviceError('InvalidWorkflow', { format: 'api', message, hint });
