import type { FileRef, UploadedFile } from '../core/protocol/file-ref.js';

/** How a workflow refers to an asset, in place of a file's name (docs/protocol.md, chapter 12.8). */
export interface AssetInput {
  /** Tells the reference from other objects. */
  readonly __type: 'core/ASSET';
  /** Which asset it is. */
  readonly info: {
    /** The asset's id. */
    readonly id: string;
    /** Of its bytes, where the service gave it. */
    readonly hash?: string;
    /** The name under which the node finds the file, with its folders. */
    readonly file_path?: string;
  };
}

/**
 * Gives the value by which a workflow's input refers to a file: what an upload answered, or an output of another job.
 *
 * That is a reference to its asset where the service keeps files as assets (`dialect: 'v2'`), and else the name: with its folder,
 * and with its type unless that is `input` (`masks/cat.png [output]`). `setInput` does it by itself for the answer of an upload.
 *
 * @example
 * ```ts
 * import { fileInput, setInput, type OutputFile, type Workflow } from 'promptwire';
 *
 * const refined = (workflow: Workflow, file: OutputFile) => setInput(workflow, '10', 'image', fileInput(file));
 * ```
 */
export const fileInput = (file: UploadedFile | FileRef): string | AssetInput => {
  const { asset, subfolder = '', type = 'output' } = file;
  const name = 'name' in file ? file.name : file.filename;
  const path = subfolder === '' ? name : `${subfolder}/${name}`;
  if (asset === undefined) return type === 'input' ? path : `${path} [${type}]`;
  const { id, hash } = asset;
  const info = {
    id,
    ...(hash !== undefined && { hash }),
    // An output has a name, and no path of the caller's.
    ...('name' in file && { file_path: path }),
  };
  return { __type: 'core/ASSET', info };
};

/** Whether a value is the answer of an upload and nothing else. */
export const isUploadedFile = (value: unknown): value is UploadedFile => {
  if (typeof value !== 'object' || value === null) return false;
  const { name, subfolder, type, asset, ...others } = value as Readonly<Record<string, unknown>>;
  return (
    typeof name === 'string' &&
    typeof subfolder === 'string' &&
    (type === 'input' || type === 'temp' || type === 'output') &&
    (asset === undefined || (typeof asset === 'object' && asset !== null && 'id' in asset)) &&
    Object.keys(others).length === 0
  );
};
