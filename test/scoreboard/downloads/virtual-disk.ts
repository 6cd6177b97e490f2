import type { Files, PartFile } from '../../../src/core/platform/platform.js';

/** Where a disk fails. */
export interface DiskFault {
  readonly code: string;
  /** Bytes that it takes before; the room that it reports is one of its own. */
  readonly after: number;
}

/** A disk of memory. */
export interface VirtualDisk {
  readonly files: Files;
  /** What stands under each name now, part files with their `.part`. */
  readonly entries: ReadonlyMap<string, Uint8Array>;
  /** Everything that ever stood under a final name, as it was when it was first visible. */
  readonly seen: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Puts bytes under a name, as a program does that knows no part files. */
  readonly put: (name: string, bytes: Uint8Array) => void;
  readonly struck: () => boolean;
}

/** Makes a {@link VirtualDisk}, empty; `freeBytes` is the room that it reports. */
export const virtualDisk = (fault?: DiskFault, freeBytes?: number): VirtualDisk => {
  const entries = new Map<string, Uint8Array>();
  const seen: { name: string; bytes: Uint8Array }[] = [];
  let [written, struck] = [0, false];

  const put = (name: string, bytes: Uint8Array): void => {
    entries.set(name, bytes);
    if (!name.endsWith('.part')) seen.push({ name, bytes: bytes.slice() });
  };
  const create: Files['create'] = (_folder, name) => {
    const path = `${name}.part`;
    if (entries.has(path)) return Promise.reject(broken('EEXIST'));
    const chunks: Uint8Array[] = [];
    let open = true;
    const onlyOpen = (): void => {
      if (!open) throw broken('EBADF');
    };
    entries.set(path, new Uint8Array());
    return Promise.resolve({
      write: (chunk) =>
        later(() => {
          onlyOpen();
          if (fault !== undefined && written + chunk.byteLength > fault.after) {
            struck = true;
            throw broken(fault.code);
          }
          written += chunk.byteLength;
          chunks.push(chunk.slice());
        }),
      commit: () =>
        later(() => {
          onlyOpen();
          open = false;
          entries.delete(path);
          put(name, Buffer.concat(chunks));
          return name;
        }),
      discard: () =>
        later(() => {
          open = false;
          entries.delete(path);
        }),
    } satisfies PartFile);
  };
  return {
    files: {
      folder: (path) => Promise.resolve(path),
      create,
      ...(freeBytes === undefined ? {} : { freeBytes: () => Promise.resolve(freeBytes) }),
      open: () => Promise.reject(broken('ENOENT')),
    },
    entries,
    seen,
    put,
    struck: () => struck,
  };
};

/** Disks answer in a later turn. */
const later = async <A>(work: () => A): Promise<A> => {
  await Promise.resolve();
  return work();
};

const broken = (code: string): Error => Object.assign(new Error('the disk says no'), { code });
