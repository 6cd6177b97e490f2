import type { AssetRef } from '../protocol/file-ref.js';
import { isJsonObject } from '../protocol/json/json.js';
import { type NamedFile, outputShape, textOfJobsApi } from './output-shapes.js';

/** The outputs of one node as the interface sends them: key → array, e.g. `images`, `video`, `audio`, `text`. */
export type NodeOutputs = Readonly<Record<string, unknown>>;

/** Node id → its outputs, an object without a prototype, exactly as in `executed` and history. */
export type Outputs = Readonly<Record<string, NodeOutputs>>;

/** No outputs. */
export const noOutputs: Outputs = /* @__PURE__ */ Object.freeze(Object.create(null) as Outputs);

/**
 * Reads the outputs object of a history record: each node's entry, with all its members as sent. An entry that is no object stands
 * under an empty key; null and an empty list tell nothing. It never fails.
 *
 * The result has no prototype, so a node may have any id (docs/protocol.md, chapter 8).
 */
export const readOutputs = (value: unknown): Outputs => {
  if (!isJsonObject(value)) return noOutputs;
  const outputs = Object.create(null) as Record<string, NodeOutputs>;
  for (const [nodeId, node] of Object.entries(value)) {
    if (isJsonObject(node)) outputs[nodeId] = node;
    else if (!isNothing(node)) outputs[nodeId] = { '': node };
  }
  return outputs;
};

const isNothing = (node: unknown): boolean =>
  node === null || node === undefined || (Array.isArray(node) && node.length === 0);

/** A file as outputs name it, with defaults filled in. */
export interface Descriptor extends NamedFile {
  /** The media type, which only some nodes send. */
  readonly format?: string;
  readonly asset?: AssetRef;
  readonly metadata?: FileMetadata;
}

/** What a server tells of a file beside its name; each member only where it does. */
export interface FileMetadata {
  /** The server's word for what it is: `image`, `video`. */
  readonly kind?: string;
  /** In pixels. */
  readonly width?: number;
  /** In pixels. */
  readonly height?: number;
  /** In seconds. */
  readonly duration?: number;
  /** Frames a second. */
  readonly fps?: number;
  /** How many frames it has. */
  readonly frameCount?: number;
}

/**
 * Reads the file that an element of an output array under `key` names, by an object or by a bare text; undefined if it names
 * none (docs/protocol.md, chapter 8).
 */
export const readDescriptor = (element: unknown, key = ''): Descriptor | undefined => {
  const shape = outputShape(element, key);
  if (shape?.is !== 'file') return undefined;
  if (!isJsonObject(element)) return shape.file;
  const { format } = element;
  const asset = readAssetRef(element['asset']);
  const metadata = readMetadata(element['metadata']);
  return {
    ...shape.file,
    ...(typeof format === 'string' && { format }),
    ...(asset !== undefined && { asset }),
    ...(metadata !== undefined && { metadata }),
  };
};

const readMetadata = (value: unknown): FileMetadata | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { kind } = value;
  const numbers = Object.entries({ ...value, frameCount: value['frame_count'] }).filter(
    ([name, member]) => measures.includes(name) && Number.isFinite(member),
  );
  const metadata: FileMetadata = {
    ...(typeof kind === 'string' && { kind }),
    ...Object.fromEntries(numbers),
  };
  return Object.keys(metadata).length === 0 ? undefined : metadata;
};

const measures: readonly string[] = ['width', 'height', 'duration', 'fps', 'frameCount'];

const readAssetRef = (value: unknown): AssetRef | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { id, hash, url } = value;
  if (typeof id !== 'string' || id === '') return undefined;
  return {
    id,
    ...(typeof hash === 'string' && hash !== '' && { hash }),
    ...(typeof url === 'string' && url !== '' && { url }),
  };
};

/** Identifies the file that an element under `key` names, for comparison; undefined if it names none. */
export const fileId = (element: unknown, key = ''): string | undefined => {
  const file = readDescriptor(element, key);
  return file && JSON.stringify([file.filename, file.subfolder, file.type, file.asset?.id]);
};

/** Copies an object without its prototype, so that a member may have any name. */
export const withoutPrototype = <A>(from: Readonly<Record<string, A>>): Record<string, A> =>
  Object.assign(Object.create(null) as Record<string, A>, from);

/** An element as its node told it: a text again where the jobs API made an object of one. */
export const asTold = (element: unknown): unknown =>
  (isJsonObject(element) ? textOfJobsApi(element) : undefined) ?? element;
