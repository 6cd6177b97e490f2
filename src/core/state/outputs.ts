import type { AssetRef } from '../protocol/file-ref.js';
import { fileOfText, namesFilesByText } from './file-name-text.js';
import { isJsonObject } from '../protocol/json/json.js';

/** The outputs of one node as the interface sends them: key → array, e.g. `images`, `video`, `audio`, `text`. */
export type NodeOutputs = Readonly<Record<string, unknown>>;

/** Node id → its outputs, an object without a prototype, exactly as in `executed` and history. */
export type Outputs = Readonly<Record<string, NodeOutputs>>;

/** No outputs. */
export const noOutputs: Outputs = /* @__PURE__ */ Object.freeze(Object.create(null) as Outputs);

/**
 * Reads the outputs object of a history record: every node whose entry is an object, with all its members as sent. It
 * leaves out anything else and never fails.
 *
 * The result has no prototype, so a node may have any id (docs/protocol.md, chapter 8).
 */
export const readOutputs = (value: unknown): Outputs => {
  if (!isJsonObject(value)) return noOutputs;
  const outputs = Object.create(null) as Record<string, NodeOutputs>;
  for (const [nodeId, node] of Object.entries(value)) {
    if (isJsonObject(node)) outputs[nodeId] = node;
  }
  return outputs;
};

/** A file as outputs name it, with defaults filled in. */
export interface Descriptor {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
  /** The media type, which only some nodes send. */
  readonly format?: string;
  readonly asset?: AssetRef;
}

/**
 * Reads the file that an element of an output array under `key` names, by an object or by a bare text; undefined where it names
 * none (docs/protocol.md, chapter 8).
 */
export const readDescriptor = (element: unknown, key = ''): Descriptor | undefined => {
  if (typeof element === 'string') return namesFilesByText(key) ? fileOfText(element) : undefined;
  if (!isJsonObject(element)) return undefined;
  const { filename, subfolder, type, format, asset: record, mediaType } = element;
  if (typeof filename !== 'string' || filename === '') return undefined;
  // The jobs API makes such an object of a text: the whole path as its name, and always `output`.
  const named = mediaType === '3d' && namesFilesByText(key) ? fileOfText(filename) : undefined;
  if (named !== undefined && (subfolder === '' || subfolder === undefined)) return named;
  const asset = readAssetRef(record);
  return {
    filename,
    subfolder: typeof subfolder === 'string' ? subfolder : '',
    type: typeof type === 'string' && type !== '' ? type : 'output',
    ...(typeof format === 'string' && { format }),
    ...(asset !== undefined && { asset }),
  };
};

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

/** Identifies the file that an element under `key` names, for comparison; undefined where it names none. */
export const fileId = (element: unknown, key = ''): string | undefined => {
  const file = readDescriptor(element, key);
  return file && JSON.stringify([file.filename, file.subfolder, file.type, file.asset?.id]);
};

/** Copies an object without its prototype, so that a member may have any name. */
export const withoutPrototype = <A>(from: Readonly<Record<string, A>>): Record<string, A> =>
  Object.assign(Object.create(null) as Record<string, A>, from);
