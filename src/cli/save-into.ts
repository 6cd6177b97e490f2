import { join, resolve } from 'node:path';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { randomUUID } from 'node:crypto';

/**
 * Saves files into a folder, which is made where it is missing, each as a whole; gives their addresses. A link of that name in the folder
 * is replaced and not followed.
 */
export const saveInto =
  (folder: string) =>
  async (name: string, bytes: Uint8Array): Promise<string> => {
    await mkdir(folder, { recursive: true });
    const path = join(resolve(folder), name);
    const draft = `${path}.${randomUUID()}`;
    try {
      await writeFile(draft, bytes, { flag: 'wx' });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    return pathToFileURL(path).href;
  };
