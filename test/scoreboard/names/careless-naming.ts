import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFiles } from '../../../src/core/platform/node/files.js';
import { safeFileName } from '../../../src/core/names/safe-file-name.js';
import { uniqueName } from '../../../src/core/names/unique-name.js';
import type { Files } from '../../../src/core/platform/platform.js';
import type { Naming } from '../hostile-file-names.js';

const nameOf: Naming['nameOf'] = (name, taken) => uniqueName(safeFileName(name), taken);

const creating = (create: Files['create']): Naming => ({ nameOf, files: { ...nodeFiles, create } });

/** Downloads that leave one care of names out. */
export const carelessNaming: Readonly<Record<string, Naming>> = {
  'joins whatever name comes': { nameOf: (name) => name, files: nodeFiles },
  'takes the last part of a path as it is': {
    nameOf: (name) => name.split(/[/\\]/u).at(-1) ?? '',
    files: nodeFiles,
  },
  'makes names safe one by one': { nameOf: (name) => safeFileName(name), files: nodeFiles },
  'tells names apart by their letters alone': {
    nameOf: (name, taken) => {
      let unique = safeFileName(name);
      while (taken.has(unique)) unique += '~';
      taken.set(unique, 2);
      return unique;
    },
    files: nodeFiles,
  },
  'puts a new file in place of an old one': creating((folder, name) =>
    nodeFiles.create(folder, name, { overwrite: true }),
  ),
  'writes to its name and looks at nothing': creating((folder, name) => {
    const path = join(folder, name);
    return Promise.resolve({
      write: (chunk) => writeFile(path, chunk),
      commit: () => Promise.resolve(path),
      discard: () => Promise.resolve(),
    });
  }),
  'keeps a copy of its part file': creating(async (folder, name, options) => {
    const part = await nodeFiles.create(folder, name, options);
    const keep = async (): Promise<string> => {
      const path = await part.commit();
      await copyFile(path, `${path}.bak`);
      return path;
    };
    return { ...part, commit: keep };
  }),
};
