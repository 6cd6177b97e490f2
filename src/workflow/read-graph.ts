import { type Either, left, right } from '../core/protocol/either.js';
import { cutText } from '../core/redaction/cut-text.js';
import { findGraphs, type GraphSource } from './find-graphs.js';
import { isApi } from './tell-format.js';
import { isJsonObject } from '../core/protocol/json/json.js';
import { type Json, objectOf } from './values.js';
import { parseExactJson } from '../core/protocol/json/exact-json.js';
import { parseJson } from '../core/protocol/json/parse-json.js';
import type { Problem } from '../core/protocol/problem.js';
import { readApiWorkflow } from './read-api-workflow.js';
import { roundedInApi } from '../core/protocol/rounded-integers.js';
import { roundedInUi } from './rounded-integers.js';
import { serviceError } from '../core/errors/service-error.js';
import type { UiWorkflow } from './convert/ui-workflow.js';
import type { Workflow, WorkflowNode } from '../core/protocol/workflow.js';

/** A workflow that was read, and what it was read from. */
export type Graph =
  | {
      /** In API format, which a submission takes. */
      readonly _tag: 'Api';
      /** What holds it. */
      readonly from: GraphSource;
      /** Ready for a submission: a node that lacked `inputs` has an empty object, and none has the server's `is_changed`. */
      readonly workflow: Workflow;
      /** The editor's own file, where the source holds both. */
      readonly ui?: UiWorkflow;
      /** Warnings about rounded integers, and about members that are left out. */
      readonly problems: readonly Problem[];
    }
  | {
      /** In the editor's format, which `toApiWorkflow` converts. */
      readonly _tag: 'Ui';
      /** What holds it. */
      readonly from: GraphSource;
      /** As the file says: 0.4 or 1; undefined if it says nothing. */
      readonly version?: number;
      /** The file itself. */
      readonly workflow: UiWorkflow;
      /** Warnings about rounded integers. */
      readonly problems: readonly Problem[];
    };

/** What {@link readGraph} says of a source without a workflow: a `ServiceError` of this tag. */
export interface InvalidGraph extends Error {
  /** As of every `ServiceError`. */
  readonly _tag: 'InvalidWorkflow';
  /** What the source looks like. */
  readonly format: 'ui' | 'wrapper' | 'empty' | 'unknown' | 'api';
  /** What to do about it. */
  readonly hint: string;
}

/**
 * Reads anything that holds a workflow, as text or as parsed JSON, and tells what it is.
 *
 * It knows the editor's format of every version (`Ui`), the API format (`Api`), wrappers around either (`{ prompt }`,
 * `{ workflow, output }`, `{ input: { workflow } }`, the body of a submission, a list, any other in which three levels hold exactly one)
 * and records of the queue and the history. Where both formats are there, the API format counts, since that is what ran. Members beside
 * the nodes of an API file are left out with a warning. From text, integers beyond 2^53 stay exact, as `bigint`; a parsed value that holds a
 * rounded one gets a warning for it. Left is `InvalidWorkflow` for anything else. It never throws.
 *
 * @example
 * ```ts
 * import { readGraph, toApiWorkflow, type NodeDefinitions } from 'promptwire/workflow';
 *
 * const workflowOf = (text: string, definitions: NodeDefinitions) => {
 *   const graph = readGraph(text);
 *   if (graph._tag === 'Left') throw graph.left;
 *   const { right } = graph;
 *   return right._tag === 'Api' ? right.workflow : toApiWorkflow(right.workflow, definitions).workflow;
 * };
 * ```
 */
export const readGraph = (source: unknown): Either<InvalidGraph, Graph> => {
  const isText = typeof source === 'string';
  const value = isText ? parseJson(source.replace(/^\uFEFF/u, ''), parseExactJson) : source;
  const { from, api, ui, several } = findGraphs(value);
  if (several !== undefined) return unknown(`It holds ${several} workflows: pass one of them.`);
  if (api === undefined && ui !== undefined) {
    const { version } = ui;
    return right({
      _tag: 'Ui',
      from,
      ...(typeof version === 'number' && { version }),
      workflow: ui,
      problems: isText ? [] : roundedInUi(ui),
    });
  }
  if (api === undefined && !isJsonObject(value))
    return unknown(
      isText
        ? 'The text holds no workflow in JSON, or is nested too deeply.'
        : 'A workflow is an object, or the text of one.',
    );
  const [nodes, more] = withoutMore(api ?? objectOf(value));
  const read = readApiWorkflow(nodes);
  if (read._tag === 'Left') return read;
  const workflow = withoutCacheMarks(read.right);
  const problems = [...more, ...(isText ? [] : roundedInApi(workflow))];
  return right({ _tag: 'Api', from, workflow, ...(ui !== undefined && { ui }), problems });
};

/**
 * Leaves out `is_changed`, which a server writes into the graph of the files that it makes: by it, the server would take a
 * result of its cache although a file that the node loads has changed.
 */
const withoutCacheMarks = (workflow: Workflow): Workflow => {
  const marked = Object.keys(workflow).filter((nodeId) =>
    Object.hasOwn(workflow[nodeId] ?? {}, 'is_changed'),
  );
  if (marked.length === 0) return workflow;
  const kept = Object.assign(Object.create(null) as Record<string, WorkflowNode>, workflow);
  for (const nodeId of marked) {
    const node = { ...workflow[nodeId] } as WorkflowNode;
    Reflect.deleteProperty(node, 'is_changed');
    kept[nodeId] = node;
  }
  return kept;
};

/**
 * Leaves out members beside the nodes, such as a comment or a version, with a warning each. What has inputs is a node that lacks its class, and
 * stays.
 */
const withoutMore = (api: Json): readonly [nodes: Json, problems: readonly Problem[]] => {
  const isNode = (value: unknown): boolean =>
    isJsonObject(value) && (Object.hasOwn(value, 'class_type') || Object.hasOwn(value, 'inputs'));
  const others = isApi(api) ? Object.keys(api).filter((name) => !isNode(api[name])) : [];
  if (others.length === 0) return [api, []];
  const nodes = Object.assign(Object.create(null) as Record<string, unknown>, api);
  for (const name of others) Reflect.deleteProperty(nodes, name);
  const problems = others.map((name): Problem => {
    return {
      type: 'unknown_member',
      severity: 'warning',
      message: `The member ${JSON.stringify(cutText(name, 160))} is no node: it is left out.`,
    };
  });
  return [nodes, problems];
};

const unknown = (message: string): Either<InvalidGraph, never> =>
  left(serviceError('InvalidWorkflow', { format: 'unknown', message }));
