import type { FileBytes, ResumePoint } from '../http/rest.js';
import type { Files, PartFile } from '../platform/platform.js';
import { fileSystemError } from './file-system-error.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';

/** Writes one file into a part file, across several answers of the storage, and renames it when it is whole. */
export interface PartFileWriter {
  /** Bytes written so far. */
  readonly bytes: () => number;
  /** The first bytes, at most 64. */
  readonly head: () => Uint8Array;
  /** Bytes of the whole file, as the answer announced them. */
  readonly size: () => number | undefined;
  /** Where the storage may resume; undefined if only the whole file can be asked for. */
  readonly resumePoint: () => ResumePoint | undefined;
  /** Prepares for `content`: keeps the bytes on disk if it continues them, else begins anew. */
  readonly begin: (content: FileBytes) => Promise<void>;
  /** Takes ownership of the chunk: the caller must not read it afterwards. */
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** Gives the file its name and resolves with its path. */
  readonly commit: () => Promise<string>;
  /** Removes the part file; does nothing after a commit. Never rejects. */
  readonly drop: () => Promise<void>;
}

/** The folder and the name of a file that is written in parts. */
export interface PartFileOptions {
  readonly files: Files;
  /** Real path of the folder. */
  readonly folder: string;
  /** Safe name to save it under. */
  readonly name: string;
  readonly overwrite: boolean;
}

/** Makes a {@link PartFileWriter}; nothing is on disk until `begin`. Failures of the disk are thrown as `FileSystem`. */
export const partFileWriter = ({ files, folder, name, overwrite }: PartFileOptions): PartFileWriter => {
  let part: PartFile | undefined;
  let bytes = 0;
  let head = new Uint8Array();
  let etag: string | undefined;
  let announced: number | undefined;

  const onDisk = async <A>(work: () => Promise<A>): Promise<A> => {
    try {
      return await work();
    } catch (cause) {
      throw fileSystemError(cause, name);
    }
  };
  const drop = async (): Promise<void> => {
    const last = part;
    [part, bytes, head, etag, announced] = [undefined, 0, new Uint8Array(), undefined, undefined];
    // The reason for giving up is what counts; a part file that can't be removed stays under its own name.
    await last?.discard().catch(() => undefined);
  };
  const opened = (): PartFile => {
    if (part === undefined) throw new Error('a part file is begun before it is written');
    return part;
  };

  return {
    bytes: () => bytes,
    head: () => head,
    size: () => announced,
    resumePoint: () => (etag === undefined || bytes === 0 ? undefined : { offset: bytes, etag }),
    begin: async ({ offset = 0, size, etag: named }) => {
      if (offset === 0 || part === undefined) {
        await drop();
        const free = await files.freeBytes?.(folder).catch(() => undefined);
        if (size !== undefined && free !== undefined && free < size) throw diskFull(name, size, free);
        part = await onDisk(() => files.create(folder, name, { overwrite }));
      }
      [etag, announced] = [named, size];
    },
    write: async (chunk) => {
      const target = opened();
      const { byteLength } = chunk;
      const begun =
        head.byteLength < headBytes ? joined(head, chunk.subarray(0, headBytes - head.byteLength)) : head;
      await onDisk(() => target.write(chunk));
      bytes += byteLength;
      head = begun;
    },
    commit: async () => {
      const target = opened();
      const path = await onDisk(() => target.commit());
      part = undefined;
      return path;
    },
    drop,
  };
};

const headBytes = 64;

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(first.byteLength + second.byteLength);
  both.set(first);
  both.set(second, first.byteLength);
  return both;
};

const diskFull = (name: string, size: number, free: number): ServiceError =>
  serviceError('FileSystem', {
    message: `${name} cannot be saved: it has ${size} bytes and ${free} are free (ENOSPC).`,
    code: 'ENOSPC',
    path: name,
  });
