import { isJsonObject } from '../protocol/json/json.js';

/** One problem that validation found with a node (docs/protocol.md, chapter 9). */
export interface NodeProblem {
  /** The kind of problem in one word, such as `value_not_in_list`. */
  readonly type: string;
  /** What is wrong, in a few words. */
  readonly message: string;
  /** The concrete part: often the input and the refused value; may be empty. */
  readonly details: string;
  /** The members of `extra_info` as sent; `input_name` names the input. */
  readonly extraInfo: Readonly<Record<string, unknown>>;
}

/** The problems of one node, and the output nodes that depend on it. */
export interface NodeErrorEntry {
  /** The class of the node. */
  readonly classType: string;
  /** Ids of the output nodes that can not run because of it. */
  readonly dependentOutputs: readonly string[];
  /** What is wrong with it; may be empty if only another node is. */
  readonly errors: readonly NodeProblem[];
}

/** Node id → the problems that validation found; an object without a prototype. */
export type NodeErrors = Readonly<Record<string, NodeErrorEntry>>;

/** No problems. */
export const noNodeErrors: NodeErrors = /* @__PURE__ */ Object.freeze(Object.create(null) as NodeErrors);

/**
 * Reads the `node_errors` member of a submission's answer or of a refusal. Never fails: what is absent or of another
 * shape is empty, and entries that are neither objects nor lists are left out (docs/protocol.md, chapters 9 and 12.2).
 */
export const readNodeErrors = (value: unknown): NodeErrors => {
  if (!isJsonObject(value)) return noNodeErrors;
  const entries = Object.entries(value).filter(
    ([, entry]) => isJsonObject(entry) || (Array.isArray(entry) && entry.length > 0),
  );
  if (entries.length === 0) return noNodeErrors;

  const errors = Object.create(null) as Record<string, NodeErrorEntry>;
  for (const [nodeId, entry] of entries)
    errors[nodeId] = Array.isArray(entry)
      ? readReasons(entry)
      : readEntry(entry as Readonly<Record<string, unknown>>);
  return errors;
};

/** The form of API v2: a list of inputs and what is wrong with each (docs/protocol.md, chapter 12.2). */
const readReasons = (reasons: readonly unknown[]): NodeErrorEntry => ({
  classType: '',
  dependentOutputs: [],
  errors: reasons.filter(isJsonObject).map(({ field, reason }) => ({
    type: '',
    message: text(reason),
    details: '',
    extraInfo: text(field) === '' ? {} : { input_name: text(field) },
  })),
});

const readEntry = (entry: Readonly<Record<string, unknown>>): NodeErrorEntry => ({
  classType: text(entry['class_type']),
  dependentOutputs: list(entry['dependent_outputs']).map(text),
  errors: list(entry['errors']).filter(isJsonObject).map(readProblem),
});

const readProblem = (problem: Readonly<Record<string, unknown>>): NodeProblem => ({
  type: text(problem['type']),
  message: text(problem['message']),
  details: text(problem['details']),
  extraInfo: isJsonObject(problem['extra_info']) ? problem['extra_info'] : {},
});

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
