import {
  type Consumer,
  type Crash,
  type NodeErrors,
  type NodeVerdict,
  type Problem,
  promptError,
  type PromptError,
  type ValidationScope,
} from './problem.js';
import type { FileStore } from '../store/file-store.js';
import { type Graph, type GraphNode, linksOf } from '../scheduler/graph.js';
import type { NodeClass, NodeDefinition, ServerFiles } from '../engine/node-class.js';
import { validateNode } from './validate-node.js';

/** The result of validation. */
export interface Verdict {
  /** The graph that will run: inputs coerced, unknown ones removed. */
  readonly graph: Graph;
  /** The output nodes that can run. */
  readonly good: readonly string[];
  /** Problems of the branches that can't run. */
  readonly nodeErrors: NodeErrors;
  /** Set where no output node can run. */
  readonly error: PromptError | undefined;
}

/**
 * Validates every wanted output node and its dependencies.
 *
 * An output below a cycle can't run. With `namesCycles` each node of the cycle has the problem `dependency_cycle`, as newer
 * engines report it; without it there is no reason, and a good output runs without the bad one.
 */
export const validatePrompt = (
  graph: Graph,
  wanted: readonly string[] | undefined,
  nodeClasses: ReadonlyMap<string, NodeClass>,
  files: KnownFiles,
  { namesCycles = false, checksNewCombos = true }: ValidationRules = {},
): Verdict => {
  const scope = { ...scopeOf(graph, nodeClasses, files), checksNewCombos };
  const outputs = [...graph].flatMap(([nodeId, node]) =>
    scope.definitionOf(node)?.output_node === true && (wanted?.includes(nodeId) ?? true) ? [nodeId] : [],
  );
  if (outputs.length === 0) {
    const error = promptError('prompt_no_outputs', 'Prompt has no outputs');
    return { graph, good: [], nodeErrors: {}, error };
  }

  const verdicts = new Map<string, NodeVerdict>();
  const path: string[] = [];
  const cycles: (readonly string[])[] = [];
  const validate = (nodeId: string, consumer?: Consumer): NodeVerdict => {
    if (path.includes(nodeId)) {
      cycles.push(path.slice(path.indexOf(nodeId)));
      return withoutReason;
    }
    const known = verdicts.get(nodeId);
    if (known) return known;
    path.push(nodeId);
    const found = validateNode(nodeId, scope, validate);
    path.pop();
    const verdict = found.crash ? { ...found, problems: [crashProblem(found.crash, consumer)] } : found;
    verdicts.set(nodeId, verdict);
    return verdict;
  };
  const good = outputs.filter((nodeId) => validate(nodeId).valid);

  const problems = new Map([...verdicts].map(([nodeId, verdict]) => [nodeId, verdict.problems]));
  for (const cycle of namesCycles ? cycles : [])
    for (const nodeId of cycle)
      problems.set(nodeId, [...(problems.get(nodeId) ?? []), cycleProblem(graph, nodeId, cycle)]);
  const details = outputs.flatMap((nodeId) => (problems.get(nodeId) ?? []).map(line)).join('\n');
  return {
    graph: new Map([...graph].map(([nodeId, node]) => [nodeId, runnable(node, verdicts.get(nodeId))])),
    good,
    nodeErrors: nodeErrors(graph, outputs, problems),
    error:
      good.length > 0
        ? undefined
        : promptError('prompt_outputs_failed_validation', 'Prompt outputs failed validation', details),
  };
};

/** The files of the server, its checkpoints, and the account's own models. */
interface KnownFiles
  extends Pick<FileStore, 'inputs' | 'find'>, Pick<ServerFiles, 'checkpoints' | 'models'> {}

const withoutReason: NodeVerdict = { valid: false, problems: [], inputs: {} };

const scopeOf = (
  graph: Graph,
  nodeClasses: ReadonlyMap<string, NodeClass>,
  files: KnownFiles,
): Omit<ValidationScope, 'checksNewCombos'> => {
  const definitions = new Map<string, NodeDefinition>();
  const listed = {
    inputs: files.inputs(),
    models: files.models ?? [],
    ...(files.checkpoints && { checkpoints: files.checkpoints }),
  };
  const definitionOf = ({ classType }: GraphNode): NodeDefinition | undefined => {
    const definition = definitions.get(classType) ?? nodeClasses.get(classType)?.definition(listed);
    if (definition) definitions.set(classType, definition);
    return definition;
  };
  return {
    graph,
    definitionOf,
    classOf: ({ classType }) => nodeClasses.get(classType),
    exists: (name) => files.find(name) !== undefined,
  };
};

/** What releases of the engine check differently. */
export interface ValidationRules {
  /** Default false. */
  readonly namesCycles?: boolean;
  /** Whether the options of combos in the newer notation are checked; default true. */
  readonly checksNewCombos?: boolean;
}

/** The frames of a crashed check, as Python lists them. */
const traceback: readonly string[] = ['validate_prompt', 'validate_inputs'].map(
  (name, index) => `  File "/app/execution.py", line ${index + 1}, in ${name}\n`,
);

/** A crashed check is a problem of its node, described in terms of the consumer. */
const crashProblem = ({ type, message }: Crash, consumer: Consumer | undefined): Problem =>
  consumer === undefined
    ? {
        type: 'exception_during_validation',
        message: 'Exception when validating node',
        details: message,
        extra_info: { exception_type: type, traceback },
      }
    : {
        type: 'exception_during_inner_validation',
        message: 'Exception when validating inner node',
        details: message,
        extra_info: {
          input_name: consumer.name,
          input_config: [consumer.spec[0], consumer.spec[1] ?? {}],
          exception_message: message,
          exception_type: type,
          traceback,
          linked_node: consumer.link,
        },
      };

const cycleProblem = (graph: Graph, nodeId: string, cycle: readonly string[]): Problem => {
  const from = cycle.indexOf(nodeId);
  const round = [...cycle.slice(from), ...cycle.slice(0, from), nodeId];
  return {
    type: 'dependency_cycle',
    message: 'The nodes need each other in a circle',
    details: round.map((id) => `${id} (${graph.get(id)?.classType ?? ''})`).join(' -> '),
    extra_info: { node_id: nodeId, cycle_nodes: cycle },
  };
};

const runnable = (node: GraphNode, verdict: NodeVerdict | undefined): GraphNode =>
  verdict ? { ...node, inputs: verdict.inputs } : node;

const line = ({ message, details }: Problem): string => `${message}: ${details}`;

/** Only nodes with problems of their own, each with the outputs that need it. */
const nodeErrors = (
  graph: Graph,
  outputs: readonly string[],
  problems: ReadonlyMap<string, readonly Problem[]>,
): NodeErrors => {
  const needs = outputs.map((nodeId) => [nodeId, upstreamOf(graph, nodeId)] as const);
  const entries = [...problems].flatMap(([nodeId, errors]) => {
    const dependent = needs.flatMap(([output, needed]) => (needed.has(nodeId) ? [output] : []));
    const entry = { errors, dependent_outputs: dependent, class_type: graph.get(nodeId)?.classType ?? '' };
    return errors.length > 0 ? [[nodeId, entry] as const] : [];
  });
  return Object.fromEntries(entries);
};

const upstreamOf = (graph: Graph, output: string): ReadonlySet<string> => {
  const needed = new Set<string>();
  const visit = (nodeId: string): void => {
    const node = graph.get(nodeId);
    if (!node || needed.has(nodeId)) return;
    needed.add(nodeId);
    for (const [upstream] of linksOf(node)) visit(upstream);
  };
  visit(output);
  return needed;
};
