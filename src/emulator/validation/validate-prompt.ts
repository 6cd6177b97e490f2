import type { NodeClass, NodeDefinition } from '../engine/node-class.js';
import { linksOf, type Graph, type GraphNode } from '../scheduler/graph.js';
import type { FileStore } from '../store/file-store.js';
import { promptError, type NodeErrors, type Problem, type PromptError } from './problem.js';
import { validateNode } from './validate-node.js';
import type { NodeVerdict, ValidationScope } from './validation-scope.js';

/** What validation makes of a graph. */
export interface Verdict {
  /** The graph that will run: inputs coerced, those that no definition knows left out. */
  readonly graph: Graph;
  /** The output nodes that can run. */
  readonly good: readonly string[];
  /** Problems of the branches that can't. */
  readonly nodeErrors: NodeErrors;
  /** Set where no output node can run. */
  readonly error: PromptError | undefined;
}

/** Validates every wanted output node and what it needs; the others only if they have a class. */
export const validatePrompt = (
  graph: Graph,
  wanted: readonly string[] | undefined,
  nodeClasses: ReadonlyMap<string, NodeClass>,
  files: Pick<FileStore, 'inputs' | 'find'>,
): Verdict => {
  const scope = scopeOf(graph, nodeClasses, files);
  const outputs = [...graph].flatMap(([nodeId, node]) =>
    scope.definitionOf(node)?.output_node === true && (wanted?.includes(nodeId) ?? true) ? [nodeId] : [],
  );
  if (outputs.length === 0) {
    const error = promptError('prompt_no_outputs', 'The workflow has no node that puts anything out.');
    return { graph, good: [], nodeErrors: {}, error };
  }

  const verdicts = new Map<string, NodeVerdict>();
  const validate = (nodeId: string): NodeVerdict => {
    const known = verdicts.get(nodeId);
    if (known) return known;
    verdicts.set(nodeId, inProgress);
    const verdict = validateNode(nodeId, scope, validate);
    verdicts.set(nodeId, verdict);
    return verdict;
  };
  const good = outputs.filter((nodeId) => validate(nodeId).valid);

  const problems = new Map([...verdicts].map(([nodeId, verdict]) => [nodeId, verdict.problems]));
  for (const nodeId of outputs) problems.set(nodeId, problemsOfOutput(verdicts.get(nodeId)));
  const details = outputs.flatMap((nodeId) => (problems.get(nodeId) ?? []).map(line)).join('\n');
  return {
    graph: new Map([...graph].map(([nodeId, node]) => [nodeId, runnable(node, verdicts.get(nodeId))])),
    good,
    nodeErrors: nodeErrors(graph, outputs, problems),
    error:
      good.length > 0
        ? undefined
        : promptError('prompt_outputs_failed_validation', 'No output of the workflow can run', details),
  };
};

const inProgress: NodeVerdict = {
  valid: false,
  problems: [],
  inputs: {},
  crash: { type: 'RecursionError', message: 'the nodes need each other' },
};

const scopeOf = (
  graph: Graph,
  nodeClasses: ReadonlyMap<string, NodeClass>,
  files: Pick<FileStore, 'inputs' | 'find'>,
): ValidationScope => {
  const definitions = new Map<string, NodeDefinition>();
  const inputs = files.inputs();
  const definitionOf = ({ classType }: GraphNode): NodeDefinition | undefined => {
    const definition = definitions.get(classType) ?? nodeClasses.get(classType)?.definition({ inputs });
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

/** Nobody links to an output node, so a check that broke down there is its own problem. */
const problemsOfOutput = (verdict: NodeVerdict | undefined): readonly Problem[] => {
  if (!verdict?.crash) return verdict?.problems ?? [];
  const { type, message } = verdict.crash;
  return [
    {
      type: 'exception_during_validation',
      message: 'The node could not be validated',
      details: message,
      extra_info: { exception_type: type, traceback: [] },
    },
  ];
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
