import { type NodeOutputs, type Outputs, readDescriptor } from './outputs.js';

/**
 * What `reported` has beyond `listed`: without the files that the same node lists there, under any key; data stays.
 *
 * Gives `reported` itself where `listed` has none of its files.
 */
export const unlistedOutputs = (reported: Outputs, listed: Outputs): Outputs => {
  let rest: Record<string, NodeOutputs> | undefined;
  for (const nodeId of Object.keys(reported)) {
    const node = reported[nodeId] ?? {};
    const files = Object.hasOwn(listed, nodeId) ? fileIds(listed[nodeId] ?? {}) : none;
    const kept = files.size === 0 ? node : withoutFiles(node, files);
    if (kept === node) continue;
    rest ??= Object.assign(Object.create(null) as Record<string, NodeOutputs>, reported);
    rest[nodeId] = kept;
  }
  return rest ?? reported;
};

/** How many files outputs name: one that a node names twice counts once, one that two nodes name twice. */
export const fileCount = (outputs: Outputs): number =>
  Object.values(outputs).reduce((count, node) => count + fileIds(node).size, 0);

/** How many things outputs list, files and data. */
export const elementCount = (outputs: Outputs): number =>
  Object.values(outputs)
    .flatMap((node) => Object.entries(node))
    // `animated` says of the pictures beside it that they move.
    .reduce((count, [key, list]) => count + (Array.isArray(list) && key !== 'animated' ? list.length : 0), 0);

const none: ReadonlySet<string> = new Set();

const idOf = (element: unknown): string | undefined => {
  const file = readDescriptor(element);
  return file === undefined ? undefined : JSON.stringify([file.filename, file.subfolder, file.type]);
};

const fileIds = (node: NodeOutputs): ReadonlySet<string> =>
  new Set(
    Object.values(node)
      .flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : []))
      .map(idOf)
      .filter((id) => id !== undefined),
  );

const withoutFiles = (node: NodeOutputs, files: ReadonlySet<string>): NodeOutputs => {
  let rest: Record<string, unknown> | undefined;
  for (const [key, list] of Object.entries(node)) {
    if (!Array.isArray(list)) continue;
    const kept = list.filter((element) => !files.has(idOf(element) ?? ''));
    if (kept.length === list.length) continue;
    rest ??= Object.assign(Object.create(null) as Record<string, unknown>, node);
    rest[key] = kept;
  }
  return rest ?? node;
};
