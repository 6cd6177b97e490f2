/**
 * A file that is read in pieces, such as one on disk or behind HTTP range requests.
 *
 * @example
 * ```ts
 * import { open } from 'node:fs/promises';
 * import { type RangedReader, workflowIn } from 'promptwire/workflow';
 *
 * const search = async (path: string) => {
 *   await using file = await open(path);
 *   const reader: RangedReader = {
 *     size: (await file.stat()).size,
 *     read: async (start, end) => {
 *       const { buffer, bytesRead } = await file.read(new Uint8Array(end - start), 0, end - start, start);
 *       return buffer.subarray(0, bytesRead);
 *     },
 *   };
 *   return workflowIn(reader);
 * };
 * ```
 */
export interface RangedReader {
  /** In bytes. */
  readonly size: number;
  /** Reads from `start` up to `end`, exclusive; both lie within `size`. Fewer bytes mean that the file ends there. */
  readonly read: (start: number, end: number) => Uint8Array | Promise<Uint8Array>;
}

/** What a workflow is searched in. */
export type FileSource = Uint8Array | ArrayBuffer | Blob | RangedReader;

/** Reads every kind of source in pieces; bytes in memory are not copied. */
export const rangedReader = (source: FileSource): RangedReader => {
  if (source instanceof Uint8Array)
    return { size: source.length, read: (start, end) => source.subarray(start, end) };
  if (source instanceof ArrayBuffer) return rangedReader(new Uint8Array(source));
  if ('read' in source) return source;
  return {
    size: source.size,
    read: async (start, end) => new Uint8Array(await source.slice(start, end).arrayBuffer()),
  };
};
