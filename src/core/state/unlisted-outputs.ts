import { isJsonObject } from '../protocol/json/json.js';
import { nodeFiles } from './node-files.js';
import { fileId, type NodeOutputs, type Outputs, withoutPrototype } from './outputs.js';

/**
 * The part of `reported` that `listed` lacks: files that the same node lists, under any key, are left out; data stays.
 *
 * Returns `reported` itself where `listed` has none of its files.
 */
export const unlistedOutputs = (reported: Outputs, listed: Outputs): Outputs => {
  let rest: Record<string, NodeOutputs> | undefined;
  for (const nodeId of Object.keys(reported)) {
    const node = reported[nodeId] ?? {};
    const files = Object.hasOwn(listed, nodeId) ? fileIds(listed[nodeId] ?? {}) : none;
    const kept = files.size === 0 ? node : withoutFiles(node, files);
    if (kept === node) continue;
    rest ??= withoutPrototype(reported);
    rest[nodeId] = kept;
  }
  return rest ?? reported;
};

/** Counts the files that outputs name; a file that one node names twice counts once, one that two nodes name twice. */
export const fileCount = (outputs: Outputs): number =>
  Object.values(outputs).reduce((count, node) => count + fileIds(node).size, 0);

/** Counts the list elements of outputs, files and data. */
export const elementCount = (outputs: Outputs): number =>
  Object.values(outputs)
    .flatMap((node) => Object.entries(node))
    // `animated` is a flag of the pictures beside it, not an output.
    .reduce((count, [key, list]) => count + (Array.isArray(list) && key !== 'animated' ? list.length : 0), 0);

/** Counts outputs as engines do: the objects of all lists, whatever they are, and the texts that name a model by its extension. */
export const objectCount = (outputs: Outputs): number =>
  Object.values(outputs)
    .flatMap((node) => Object.entries(node))
    .flatMap(([key, list]): readonly unknown[] => (Array.isArray(list) && key !== 'animated' ? list : []))
    .filter((element) => isJsonObject(element) || (typeof element === 'string' && isModel.test(element)))
    .length;

const isModel = /\.(?:obj|fbx|gltf|glb|usdz)$/iu;

const none: ReadonlySet<string> = new Set();

const fileIds = (node: NodeOutputs): ReadonlySet<string> =>
  new Set(
    nodeFiles(node)
      .map(({ key, element }) => fileId(element, key))
      .filter((id) => id !== undefined),
  );

const withoutFiles = (node: NodeOutputs, files: ReadonlySet<string>): NodeOutputs => {
  let rest: Record<string, unknown> | undefined;
  for (const [key, list] of Object.entries(node)) {
    if (!Array.isArray(list)) continue;
    const kept = list.filter((element) => !files.has(fileId(element, key) ?? ''));
    if (kept.length === list.length) continue;
    rest ??= withoutPrototype(node);
    rest[key] = kept;
  }
  return rest ?? node;
};
