import { openAsBlob } from 'node:fs';

/** A blob of a file, whose bytes are read when they are asked for. */
export const diskBlob = async (path: string): Promise<Blob> => {
  const blob = await openAsBlob(path);
  paths.set(blob, path);
  return blob;
};

/** Where the file of a {@link diskBlob} is; undefined for any other blob. */
export const pathOfBlob = (blob: Blob): string | undefined => paths.get(blob);

const paths = new WeakMap<Blob, string>();
