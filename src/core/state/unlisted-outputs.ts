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
export const fileCount = (outputs: Outputs): number => {
  let count = 0;
  for (const nodeId of Object.keys(outputs)) count += fileIds(outputs[nodeId] ?? {}).size;
  return count;
};

/** Counts the list elements of outputs, files and data. */
export const elementCount = (outputs: Outputs): number => countElements(outputs, () => true);

/** Counts outputs as engines do: the objects of all lists, whatever they are, and the texts that name a model by its extension. */
export const objectCount = (outputs: Outputs): number => countElements(outputs, isObjectOrModel);

const isObjectOrModel = (element: unknown): boolean =>
  isJsonObject(element) || (typeof element === 'string' && isModel.test(element));

const countElements = (outputs: Outputs, counts: (element: unknown) => boolean): number => {
  let count = 0;
  for (const nodeId of Object.keys(outputs)) {
    const node = outputs[nodeId] ?? {};
    for (const key of Object.keys(node)) {
      const list = node[key];
      // `animated` is a flag of the pictures beside it, not an output.
      if (!Array.isArray(list) || key === 'animated') continue;
      for (const element of list) if (counts(element)) count += 1;
    }
  }
  return count;
};

const isModel = /\.(?:obj|fbx|gltf|glb|usdz)$/iu;

const none: ReadonlySet<string> = new Set();

const fileIds = (node: NodeOutputs): ReadonlySet<string> => {
  const files = nodeFiles(node);
  return files.length === 0
    ? none
    : new Set(files.map(({ key, element }) => fileId(element, key)).filter((id) => id !== undefined));
};

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
