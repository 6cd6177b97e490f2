import type { Files } from '../../core/platform/platform.js';

/** A disk in memory: what is saved stands in `saved` under its path, and what is in `saved` can be read. */
export const memoryFiles = (saved: Map<string, Uint8Array>): Files => ({
  folder: (path) => Promise.resolve(path.replace(/\/+$/u, '')),
  create: (folder, name, { overwrite = false } = {}) => {
    const chunks: Uint8Array[] = [];
    return Promise.resolve({
      write: (chunk) => {
        chunks.push(chunk.slice());
        return Promise.resolve();
      },
      commit: () => {
        const path = freePath(saved, `${folder}/${name}`, overwrite);
        saved.set(path, joined(chunks));
        return Promise.resolve(path);
      },
      discard: () => Promise.resolve(),
    });
  },
  open: (path) => {
    const bytes = saved.get(path);
    return bytes === undefined
      ? Promise.reject(Object.assign(new Error(`there is no ${path}`), { code: 'ENOENT' }))
      : Promise.resolve(new Blob([bytes.slice()]));
  },
});

const freePath = (saved: ReadonlyMap<string, Uint8Array>, path: string, overwrite: boolean): string => {
  if (overwrite || !saved.has(path)) return path;
  const [, stem = path, extension = ''] = /^(.*?)(\.[^./]*)?$/su.exec(path) ?? [];
  for (let n = 2; ; n += 1) {
    const numbered = `${stem}~${n}${extension}`;
    if (!saved.has(numbered)) return numbered;
  }
};

const joined = (chunks: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};
