import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { basename, dirname, join, posix, win32 } from 'node:path';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { collisionKey, type TakenNames, uniqueName } from '../../src/core/names/unique-name.js';
import { download } from '../../src/core/files/download.js';
import type { DownloadOptions } from '../../src/core/files/download-state.js';
import * as E from 'fp-ts/lib/Either.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import fc from 'fast-check';
import { hostileNames } from '../helpers/hostile-names.js';
import { lastValueFrom } from 'rxjs';
import { nodeFiles } from '../../src/core/platform/node/files.js';
import { outputNamed } from '../helpers/file-service.js';
import { safeFileName } from '../../src/core/names/safe-file-name.js';
import { tmpdir } from 'node:os';
import { runs } from '../helpers/runs.js';

let root = '';
let dir = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'promptwire-names-')));
  dir = join(root, 'out');
  await mkdir(dir);
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Saves files whose content is their number, and gives their paths. */
const save = async (names: readonly string[], options: DownloadOptions = {}): Promise<readonly string[]> => {
  let nth = -1;
  const run = download({
    platform: { ...fakePlatform(), files: nodeFiles },
    view: () => () => {
      const content = new TextEncoder().encode(String((nth += 1)));
      return Promise.resolve(
        E.right({
          mediaType: 'text/plain',
          size: content.byteLength,
          // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
          body: (async function* () {
            yield content;
          })(),
          discard: () => undefined,
        }),
      );
    },
  });
  const outputs = names.map((filename) => outputNamed(filename));
  const { files } = await lastValueFrom(run(outputs, dir, { concurrency: 1, ...options }));
  return files.map(({ path }) => path);
};

/** The checks of names concern any content: an ending that media are checked by is kept away. */
const asText = (name: string): string => name.replace(/(png|wav|mp4|jpe?g)(?=\W*$)/giu, 'bin');

const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

describe('names from the service', () => {
  it('G14 stay one harmless name in the folder, under the rules of POSIX and Windows', () => {
    expect(hostileNames.length).toBeGreaterThanOrEqual(2000);
    for (const name of hostileNames) {
      const safe = safeFileName(name);
      expect(posix.dirname(posix.resolve('/out', safe)), name).toBe('/out');
      expect(posix.basename(posix.resolve('/out', safe)), name).toBe(safe);
      expect(win32.dirname(win32.resolve('C:\\out', safe)), name).toBe('C:\\out');
      expect(win32.basename(win32.resolve('C:\\out', safe)), name).toBe(safe);
      expect(safe, name).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u,
      );
      expect(safe, name).not.toMatch(/^[.\-~\s]|[.\s]$|^$/u);
      expect(safe, name).not.toMatch(reserved);
      expect(safe, name).not.toMatch(/\p{Surrogate}/u);
      expect(safe.normalize('NFC')).toBe(safe);
      expect(Buffer.byteLength(`${safe}~9999.part`)).toBeLessThanOrEqual(255);
    }
  });

  it('G14 G15 are as many files as there were, all in the folder, none of them cut or half', async () => {
    const names = hostileNames.filter((_, nth) => nth % 7 === 0).map(asText);
    const paths = await save(names);
    expect(paths).toHaveLength(names.length);
    expect(new Set(paths.map((path) => collisionKey(path))).size).toBe(names.length);
    for (const path of paths) expect(dirname(path)).toBe(dir);
    expect((await readdir(dir)).sort()).toEqual(paths.map((path) => basename(path)).sort());
    expect(await readdir(root)).toEqual(['out']);
    const contents = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    expect(contents).toEqual(names.map((_, nth) => String(nth)));
  });

  it('G15 law: n names in, n names out, however case and composition differ', () => {
    const names = fc.array(
      fc.oneof(
        fc.constantFrom(
          'A.txt',
          'a.TXT',
          'é',
          'e\u0301',
          'É',
          'ß',
          'SS',
          'ﬁ',
          'fi',
          'a~2.txt',
          'K',
          '\u212a',
        ),
        fc.constantFrom(...hostileNames),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(names, (list) => {
        const taken: TakenNames = new Map();
        const unique = list.map((name) => uniqueName(safeFileName(name), taken));
        expect(new Set(unique.map(collisionKey)).size).toBe(list.length);
        expect(new Set(unique.map((name) => name.normalize('NFD').toLowerCase())).size).toBe(list.length);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('G15 are numbered where two nodes use the same', async () => {
    const paths = await save(['A.txt', 'a.txt', 'é.txt', 'e\u0301.txt', 'a.txt']);
    expect(paths.map((path) => basename(path))).toEqual(['A.txt', 'a~2.txt', 'é.txt', 'é~2.txt', 'a~3.txt']);
  });
});

describe('a name that is taken', () => {
  it('G16 by a file stays with it', async () => {
    await writeFile(join(dir, 'a.txt'), 'mine');
    expect(await save(['a.txt'])).toEqual([join(dir, 'a~2.txt')]);
    expect(await readFile(join(dir, 'a.txt'), 'utf8')).toBe('mine');
  });

  it('G16 by a read-only file stays with it, and is replaced only when asked to', async () => {
    await writeFile(join(dir, 'a.txt'), 'mine');
    await chmod(join(dir, 'a.txt'), 0o444);
    expect(await save(['a.txt'])).toEqual([join(dir, 'a~2.txt')]);
    expect(await readFile(join(dir, 'a.txt'), 'utf8')).toBe('mine');
    expect(await save(['a.txt'], { overwrite: true })).toEqual([join(dir, 'a.txt')]);
    expect(await readFile(join(dir, 'a.txt'), 'utf8')).toBe('0');
  });

  it.each([false, true])('G16 by a folder stays with it (overwrite: %s)', async (overwrite) => {
    await mkdir(join(dir, 'a.txt'));
    const saved = save(['a.txt'], { overwrite });
    if (overwrite) await expect(saved).rejects.toMatchObject({ _tag: 'FileSystem', code: 'EISDIR' });
    else expect(await saved).toEqual([join(dir, 'a~2.txt')]);
    expect((await readdir(dir)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it.each(['a.txt', 'a.txt.part'])('G16 by a link at %s is never written through', async (name) => {
    const outside = join(root, 'outside');
    await writeFile(outside, 'mine');
    for (const target of [outside, join(root, 'nowhere'), root]) {
      await symlink(target, join(dir, name));
      const [path] = await save(['a.txt']);
      expect(dirname(path!)).toBe(dir);
      expect(await readFile(path!, 'utf8')).toBe('0');
      expect(await readlink(join(dir, name))).toBe(target);
      await rm(join(dir, name));
      await rm(path!);
    }
    expect(await readFile(outside, 'utf8')).toBe('mine');
    expect((await readdir(root)).sort()).toEqual(['out', 'outside']);
  });

  it('G16 by a link is put in place of the link when asked to, not through it', async () => {
    const outside = join(root, 'outside');
    await writeFile(outside, 'mine');
    await symlink(outside, join(dir, 'a.txt'));
    expect(await save(['a.txt'], { overwrite: true })).toEqual([join(dir, 'a.txt')]);
    expect([await readFile(outside, 'utf8'), await readFile(join(dir, 'a.txt'), 'utf8')]).toEqual([
      'mine',
      '0',
    ]);
  });

  it('G16 in a folder that became a link to another is not written to', async () => {
    const folder = await nodeFiles.folder(dir);
    await rm(dir, { recursive: true });
    await mkdir(join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere'), dir);
    await expect(nodeFiles.create(folder, 'a.txt')).rejects.toMatchObject({ code: 'ELOOP' });
    expect(await readdir(join(root, 'elsewhere'))).toEqual([]);
  });
});
