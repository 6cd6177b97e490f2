import { type NodeOutputs, type Outputs, readDescriptor } from './outputs.js';

/**
 * Unites what two sources told of a job's outputs, per node and key; gives `known` itself where `told` adds nothing.
 *
 * A file that both name (same `filename`, `subfolder` and `type`) appears once, as `known` has it. Other array elements
 * are data: each appears as often as in the source that has it more often. Of values that are no arrays the first one
 * stays, and an array is never replaced by anything else (docs/protocol.md, chapter 8).
 *
 * @example
 * ```ts
 * import { mergeOutputs, type Outputs } from 'promptwire';
 *
 * const total = (parts: readonly Outputs[]): Outputs => parts.reduce((known, told) => mergeOutputs(known, told), {});
 * ```
 */
export const mergeOutputs = (known: Outputs, told: Outputs): Outputs => {
  let merged: Record<string, NodeOutputs> | undefined;
  for (const nodeId of Object.keys(told)) {
    const before = Object.hasOwn(known, nodeId) ? known[nodeId] : undefined;
    const after = mergeNode(before, told[nodeId] ?? {});
    if (after !== before) {
      merged ??= withoutPrototype(known);
      merged[nodeId] = after;
    }
  }
  return merged ?? known;
};

const mergeNode = (known: NodeOutputs | undefined, told: NodeOutputs): NodeOutputs => {
  let merged: Record<string, unknown> | undefined = known === undefined ? withoutPrototype({}) : undefined;
  for (const key of Object.keys(told)) {
    const isKnown = known !== undefined && Object.hasOwn(known, key);
    const before = isKnown ? known[key] : undefined;
    const after = mergeValue(before, told[key]);
    if (!isKnown || after !== before) {
      merged ??= withoutPrototype(known ?? {});
      merged[key] = after;
    }
  }
  return merged ?? known ?? {};
};

const mergeValue = (known: unknown, told: unknown): unknown => {
  if (Array.isArray(told)) return unite(Array.isArray(known) ? known : [], told);
  return known ?? told;
};

/** Known elements in their place, then those that are new. */
const unite = (known: readonly unknown[], told: readonly unknown[]): readonly unknown[] => {
  // The commonest case by far: a node tells its one file.
  if (known.length === 0 && told.length === 1) return [...told];
  const open = new Map<unknown, number>();
  for (const element of known) {
    const id = idOf(element);
    open.set(id, (open.get(id) ?? 0) + 1);
  }
  const added = told.filter((element) => {
    const id = idOf(element);
    const left = open.get(id) ?? 0;
    if (readDescriptor(element) === undefined) {
      open.set(id, Math.max(0, left - 1));
    } else {
      open.set(id, 1);
    }
    return left === 0;
  });
  return added.length === 0 ? known : [...known, ...added];
};

/** Equal for the same file and for equal data; data nested too deep to compare is itself only. */
const idOf = (element: unknown): unknown => {
  const file = readDescriptor(element);
  return file === undefined
    ? (canonicalText(element) ?? element)
    : JSON.stringify([file.filename, file.subfolder, file.type]);
};

const withoutPrototype = <A>(from: Readonly<Record<string, A>>): Record<string, A> =>
  Object.assign(Object.create(null) as Record<string, A>, from);

/**
 * Writes a JSON value so that equal values give equal texts, whatever the order of their members; undefined where it is
 * nested more than `depth` deep, so that no value from outside can exhaust the stack.
 */
export const canonicalText = (value: unknown, depth = 64): string | undefined => {
  if (typeof value !== 'object' || value === null) return `${typeof value}:${String(value)}`;
  if (depth === 0) return undefined;

  const parts: string[] = [];
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value).sort()) {
    const part = canonicalText((value as Readonly<Record<string, unknown>>)[key], depth - 1);
    if (part === undefined) return undefined;
    parts.push(`${JSON.stringify(key)} ${String(part.length)} ${part}`);
  }
  return `${Array.isArray(value) ? 'array' : 'object'}(${parts.join()})`;
};
