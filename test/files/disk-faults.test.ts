import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files, PartFile } from '../../src/core/platform/platform.js';
import { fileService, outputNamed, pngBytes } from '../helpers/file-service.js';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { nodeFiles } from '../../src/core/platform/node/files.js';
import { tmpdir } from 'node:os';

let dir = '';
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'promptwire-disk-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const file = pngBytes(300_000);
const broken = (code: string): Error => Object.assign(new Error('the disk says no'), { code });

/** A disk that fails at one point, and counts what is open. */
const failing = (fault: {
  readonly after?: number;
  readonly at?: 'create' | 'commit';
  readonly code: string;
}) => {
  let open = 0;
  let written = 0;
  const files: Files = {
    ...nodeFiles,
    create: async (...args) => {
      if (fault.at === 'create') throw broken(fault.code);
      const part = await nodeFiles.create(...args);
      open += 1;
      return {
        write: async (chunk) => {
          if (fault.after !== undefined && written + chunk.byteLength > fault.after) {
            await part.write(chunk.subarray(0, fault.after - written));
            throw broken(fault.code);
          }
          written += chunk.byteLength;
          await part.write(chunk);
        },
        commit: async () => {
          if (fault.at === 'commit') throw broken(fault.code);
          open -= 1;
          return part.commit();
        },
        discard: async () => {
          open -= 1;
          await part.discard();
        },
      } satisfies PartFile;
    },
  };
  return { files, open: () => open };
};

describe('a disk that fails', () => {
  const codes = ['ENOSPC', 'EACCES', 'EMFILE', 'EIO', 'EDQUOT'];

  it.each([0, 1, 63, 64, 4096, 65_535, 65_536, 131_072, 200_000, 299_999])(
    'G17 after %d bytes leaves nothing, and says so by its own code',
    async (after) => {
      for (const code of codes) {
        const { files, open } = failing({ after, code });
        await using service = await fileService(() => ({ bytes: file }), { files });
        await expect(lastValueFrom(service.save([outputNamed('a.png')], dir))).rejects.toMatchObject({
          _tag: 'FileSystem',
          code,
          path: 'a.png',
        });
        expect([service.views(), open(), await readdir(dir)]).toEqual([1, 0, []]);
      }
    },
  );

  it.each(['create', 'commit'] as const)('G17 at the %s leaves nothing', async (at) => {
    for (const code of codes) {
      const { files, open } = failing({ at, code });
      await using service = await fileService(() => ({ bytes: file }), { files });
      await expect(lastValueFrom(service.save([outputNamed('a.png')], dir))).rejects.toMatchObject({ code });
      expect([open(), await readdir(dir)]).toEqual([0, []]);
    }
  });

  it('G12 G17 is not begun with where it has less room than the file needs', async () => {
    const files: Files = { ...nodeFiles, freeBytes: () => Promise.resolve(file.length - 1) };
    await using service = await fileService(() => ({ bytes: file }), { files });
    await expect(lastValueFrom(service.save([outputNamed('a.png')], dir))).rejects.toMatchObject({
      _tag: 'FileSystem',
      code: 'ENOSPC',
    });
    expect(await readdir(dir)).toEqual([]);
  });

  it('G17 to tell its free space is written to all the same', async () => {
    const files: Files = { ...nodeFiles, freeBytes: () => Promise.reject(broken('ENOSYS')) };
    await using service = await fileService(() => ({ bytes: file }), { files });
    const { done } = await lastValueFrom(service.save([outputNamed('a.png')], dir));
    expect([done, await readdir(dir)]).toEqual([true, ['a.png']]);
  });

  it('G17 fails one file of many alone', async () => {
    let created = 0;
    const files: Files = {
      ...nodeFiles,
      create: (...args) =>
        (created += 1) === 2 ? Promise.reject(broken('EMFILE')) : nodeFiles.create(...args),
    };
    await using service = await fileService(() => ({ bytes: file }), { files });
    const outputs = ['a.png', 'b.png', 'c.png'].map((name) => outputNamed(name));
    await expect(lastValueFrom(service.save(outputs, dir, { concurrency: 1 }))).rejects.toMatchObject({
      code: 'EMFILE',
      path: 'b.png',
    });
    expect((await readdir(dir)).sort()).toEqual(['a.png', 'c.png']);
  });
});
