import { canonicalJson } from '../protocol/json/canonical-json.js';
import { asTold, fileId, type NodeOutputs, type Outputs, withoutPrototype } from './outputs.js';

/**
 * Unites the outputs that two sources report of one job, per node and key; returns `known` itself where `reported` adds
 * nothing.
 *
 * A file that both name (same `filename`, `subfolder`, `type` and asset) appears once, as `known` has it. Other array elements
 * are data: each appears as often as in the source that has it more often. Of two values that are not arrays the known one
 * stays, and nothing but an array replaces an array (docs/protocol.md, chapter 8).
 *
 * @example
 * ```ts
 * import { mergeOutputs, type Outputs } from 'promptwire';
 *
 * const total = (parts: readonly Outputs[]): Outputs => parts.reduce((known, part) => mergeOutputs(known, part), {});
 * ```
 */
export const mergeOutputs = (known: Outputs, reported: Outputs): Outputs => {
  let merged: Record<string, NodeOutputs> | undefined;
  for (const nodeId of Object.keys(reported)) {
    const before = Object.hasOwn(known, nodeId) ? known[nodeId] : undefined;
    const after = mergeNode(before, reported[nodeId] ?? {});
    if (after !== before) {
      merged ??= withoutPrototype(known);
      merged[nodeId] = after;
    }
  }
  return merged ?? known;
};

/** The members of both, in an object like any that JSON makes, whichever of them has more. */
const mergeNode = (known: NodeOutputs | undefined, reported: NodeOutputs): NodeOutputs => {
  // The usual case: the states of one client share what they know of a node.
  if (known === reported) return reported;
  let merged: Map<string, unknown> | undefined;
  for (const key of Object.keys(reported)) {
    const isKnown = known !== undefined && Object.hasOwn(known, key);
    const before = isKnown ? known[key] : undefined;
    const after = mergeValue(key, before, reported[key]);
    if (!isKnown || after !== before) {
      merged ??= new Map(Object.entries(known ?? {}));
      merged.set(key, after);
    }
  }
  return merged === undefined ? (known ?? {}) : Object.fromEntries(merged);
};

const mergeValue = (key: string, known: unknown, reported: unknown): unknown => {
  if (Array.isArray(reported)) return mergeLists(key, Array.isArray(known) ? known : [], reported);
  return known ?? reported;
};

/** The known elements in their order, then the new ones. */
const mergeLists = (
  key: string,
  known: readonly unknown[],
  reported: readonly unknown[],
): readonly unknown[] => {
  // By far the most common case: a node reports its one file.
  if (known.length === 0 && reported.length === 1) return [...reported];
  /** How many more equal elements `known` has than were met in `reported`; a file matches any number of times. */
  const unmatched = new Map<unknown, number>();
  for (const element of known) {
    const id = elementId(element, key);
    unmatched.set(id, (unmatched.get(id) ?? 0) + 1);
  }
  const added = reported.filter((element) => {
    const id = elementId(element, key);
    const left = unmatched.get(id) ?? 0;
    if (fileId(element, key) === undefined) {
      unmatched.set(id, Math.max(0, left - 1));
    } else {
      unmatched.set(id, 1);
    }
    return left === 0;
  });
  return added.length === 0 ? known : [...known, ...added];
};

/** Equal for the same file and for equal data; data that is nested too deep to compare equals itself alone. */
const elementId = (element: unknown, key: string): unknown =>
  fileId(element, key) ?? canonicalJson(asTold(element)) ?? element;
