import { mkdir, open, realpath } from 'node:fs/promises';
import { join, parse } from 'node:path';

/**
 * Writes a file into a folder, which is made where it is missing, and resolves with its path: `name`, else `name~2`, `name~3`…
 *
 * No file is replaced.
 */
export const writeNewFile = async (out: string, name: string, bytes: Uint8Array): Promise<string> => {
  await mkdir(out, { recursive: true });
  const folder = await realpath(out);
  const { name: stem, ext } = parse(name);
  for (let n = 1; ; n += 1) {
    const path = join(folder, n === 1 ? name : `${stem}~${n}${ext}`);
    try {
      const handle = await open(path, 'wx');
      await handle.writeFile(bytes).finally(() => handle.close());
      return path;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
};

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';
