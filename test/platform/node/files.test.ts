import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { boundedWrites, nodeFiles } from '../../../src/core/platform/node/files.js';
import { join } from 'node:path';
import fileSystem, {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  statfs,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { Writable } from 'node:stream';

let dir = '';
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'promptwire-files-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const save = async (name: string, text: string, overwrite = false): Promise<string> => {
  const part = await nodeFiles.create(dir, name, { overwrite });
  await part.write(bytes(text));
  return part.commit();
};

describe('nodeFiles', () => {
  it('makes the folder and tells its real path', async () => {
    await mkdir(join(dir, 'real'));
    await symlink(join(dir, 'real'), join(dir, 'link'));
    expect(await nodeFiles.folder(join(dir, 'link', 'a', 'b'))).toBe(join(dir, 'real', 'a', 'b'));
  });

  it('gives a file its name only when it is committed', async () => {
    const part = await nodeFiles.create(dir, 'a.png');
    await part.write(bytes('one '));
    await part.write(bytes('two'));
    expect(await readdir(dir)).toEqual(['a.png.part']);
    expect(await part.commit()).toBe(join(dir, 'a.png'));
    expect(await readdir(dir)).toEqual(['a.png']);
    expect(await readFile(join(dir, 'a.png'), 'utf8')).toBe('one two');
  });

  it('removes what is discarded, once or twice, and nothing after the commit', async () => {
    const part = await nodeFiles.create(dir, 'a.png');
    await part.write(bytes('x'));
    await part.discard();
    await part.discard();
    expect(await readdir(dir)).toEqual([]);
  });

  it('never replaces a file unless asked to', async () => {
    expect(await save('a.png', '1')).toBe(join(dir, 'a.png'));
    expect(await save('a.png', '2')).toBe(join(dir, 'a~2.png'));
    expect(await save('a.png', '3')).toBe(join(dir, 'a~3.png'));
    expect(await save('a.png', '4', true)).toBe(join(dir, 'a.png'));
    const contents = await Promise.all(
      ['a.png', 'a~2.png', 'a~3.png'].map((name) => readFile(join(dir, name), 'utf8')),
    );
    expect(contents).toEqual(['4', '2', '3']);
    expect(await readdir(dir)).toHaveLength(3);
  });

  it('gives a file the rights that this process gives its files', async () => {
    await writeFile(join(dir, 'other'), '1');
    const { mode } = await stat(await save('a.png', '1'));
    expect(mode).toBe((await stat(join(dir, 'other'))).mode);
  });

  it('keeps parts of the same name apart', async () => {
    const [first, second] = [await nodeFiles.create(dir, 'a'), await nodeFiles.create(dir, 'a')];
    await first.write(bytes('1'));
    await second.write(bytes('2'));
    const paths = [await second.commit(), await first.commit()];
    expect(paths).toEqual([join(dir, 'a'), join(dir, 'a~2')]);
    expect(await readFile(join(dir, 'a'), 'utf8')).toBe('2');
  });

  it('writes through no link, whether it stands at the part or at the final name', async () => {
    const outside = join(dir, 'outside');
    await writeFile(outside, 'keep');
    await symlink(outside, join(dir, 'a.part'));
    await symlink(outside, join(dir, 'a'));
    expect(await save('a', 'new')).toBe(join(dir, 'a~2'));
    expect(await save('a', 'newer', true)).toBe(join(dir, 'a'));
    expect(await readFile(outside, 'utf8')).toBe('keep');
    expect(await readFile(join(dir, 'a'), 'utf8')).toBe('newer');
  });

  it('writes nothing where a link has taken the place of the folder', async () => {
    const [folder, elsewhere] = [await nodeFiles.folder(join(dir, 'folder')), join(dir, 'elsewhere')];
    await mkdir(elsewhere);
    await rename(folder, join(dir, 'moved'));
    await symlink(elsewhere, folder);
    await expect(nodeFiles.create(folder, 'a.png')).rejects.toMatchObject({ code: 'ELOOP' });
    expect([await readdir(elsewhere), await readdir(join(dir, 'moved'))]).toEqual([[], []]);
  });

  it.each(['../x', 'a/b', '..', '', '/etc/x'])('refuses the name %j', async (name) => {
    await expect(nodeFiles.create(dir, name)).rejects.toMatchObject({ code: 'EINVAL' });
    expect(await readdir(dir)).toEqual([]);
  });

  it('rejects with the code of the system', async () => {
    await writeFile(join(dir, 'file'), '');
    await expect(nodeFiles.folder(join(dir, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(nodeFiles.create(join(dir, 'none'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(nodeFiles.create(dir, 'x'.repeat(300))).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
    await expect(nodeFiles.open(join(dir, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(join(dir, 'taken'));
    await expect(save('taken', 'x', true)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('tells how many bytes are free where a folder is', async () => {
    const { bavail, bsize } = await statfs(dir);
    const share = (await nodeFiles.freeBytes!(dir)) / (bavail * bsize);
    // Other programs write meanwhile.
    expect([share > 0.5, share < 2]).toEqual([true, true]);
    await expect(nodeFiles.freeBytes!(join(dir, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('opens a file as a blob', async () => {
    await writeFile(join(dir, 'a'), 'content');
    const blob = await nodeFiles.open(join(dir, 'a'));
    expect([blob.size, await blob.text()]).toEqual([7, 'content']);
  });
});

type Call = 'link' | 'open' | 'rename' | 'unlink';

/** Has a call of the file system do something else until the end of the test, and counts how often it was made. */
const played = (call: Call, by: (path: string) => Promise<unknown>): (() => number) => {
  const own = fileSystem[call];
  let calls = 0;
  Object.assign(fileSystem, {
    [call]: (path: string) => {
      calls += 1;
      return by(path);
    },
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fileSystem, { [call]: own });
    syncBuiltinESMExports();
  });
  return () => calls;
};
const failing = (call: Call, code: string) =>
  played(call, () => Promise.reject(Object.assign(new Error(code), { code })));

describe('nodeFiles on another disk', () => {
  it.each(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV'])(
    'keeps both files where it makes no links: %s',
    async (code) => {
      await writeFile(join(dir, 'a'), '1');
      failing('link', code);
      expect([await save('a', '2'), await save('b', '3')]).toEqual([join(dir, 'a~2'), join(dir, 'b')]);
      expect((await readdir(dir)).toSorted()).toEqual(['a', 'a~2', 'b']);
      expect(await readFile(join(dir, 'a'), 'utf8')).toBe('1');
    },
  );

  it('rejects where a link or a removal fails, and keeps the part', async () => {
    failing('link', 'EIO');
    await expect(save('a', '1')).rejects.toMatchObject({ code: 'EIO' });
    expect(await readdir(dir)).toEqual(['a.part']);
    const part = await nodeFiles.create(dir, 'b');
    failing('unlink', 'EACCES');
    await expect(part.discard()).rejects.toMatchObject({ code: 'EACCES' });
  });

  it('rejects where the part can’t be removed that has its name by then, and takes no other', async () => {
    const removed = failing('unlink', 'EPERM');
    await expect(save('a', '1')).rejects.toMatchObject({ code: 'EPERM' });
    expect([removed(), await readdir(dir)]).toEqual([1, ['a', 'a.part']]);
  });

  it('lets go of its file where it is discarded, however much of it waits for the disk', async () => {
    const { stream } = disk();
    played('open', async (path) => {
      await writeFile(path, '');
      return { createWriteStream: () => stream };
    });
    const part = await nodeFiles.create(dir, 'a');
    await part.write(bytes('four'));
    await part.discard();
    expect([stream.destroyed, await readdir(dir)]).toEqual([true, []]);
  });

  it.each<readonly [unknown]>([['a text'], [null], [undefined], [{}]])(
    'rejects with %j as it is, which has no code',
    async (cause) => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what has no code is no error of a system.
      played('link', () => Promise.reject(cause));
      await expect(save('a', '1')).rejects.toBe(cause);
      expect(await readdir(dir)).toEqual(['a.part']);
    },
  );

  it('looks for ten thousand names', async () => {
    const linked = failing('link', 'EEXIST');
    await expect(save('a', '1')).rejects.toMatchObject({ code: 'EEXIST' });
    const opened = failing('open', 'EEXIST');
    await expect(nodeFiles.create(dir, 'b')).rejects.toMatchObject({ code: 'EEXIST' });
    expect([linked(), opened()]).toEqual([10_000, 10_000]);
  });

  it('G17 gives no file its name whose last bytes it refuses', async () => {
    const { stream, letGo } = disk({ room: 1 });
    played('open', async (path) => {
      await writeFile(path, '');
      return { createWriteStream: () => stream };
    });
    const part = await nodeFiles.create(dir, 'a');
    await part.write(bytes('four'));
    const committed = part.commit();
    letGo();
    await expect(committed).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(dir)).toEqual(['a.part']);
    await part.discard();
    expect(await readdir(dir)).toEqual([]);
  });
});

const chunk = (bytes: number): Uint8Array => new Uint8Array(bytes);

/** A disk that writes when it is told to, and is full after so many bytes. */
const disk = ({ room = Infinity } = {}) => {
  const held: (() => void)[] = [];
  let written = 0;
  const stream = new Writable({
    highWaterMark: 100,
    write: ({ byteLength }: Uint8Array, _, done) => {
      held.push(() => {
        written += byteLength;
        done(written > room ? Object.assign(new Error('full'), { code: 'ENOSPC' }) : null);
      });
    },
  });
  return { stream, letGo: () => held.shift()?.(), written: () => written };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('bounded writes', () => {
  it('wait for the disk once so many bytes are in memory', async () => {
    const { stream, letGo } = disk();
    const { write } = boundedWrites(stream);
    await write(chunk(60));
    let hasRoom = false;
    const second = write(chunk(60)).then(() => (hasRoom = true));
    await turn();
    expect(hasRoom).toBe(false);
    letGo();
    await turn();
    letGo();
    await second;
  });

  it('are over when everything is written', async () => {
    const { stream, letGo, written } = disk();
    const { write, end } = boundedWrites(stream);
    await write(chunk(60));
    const ended = end();
    letGo();
    await ended;
    expect(written()).toBe(60);
  });

  it('G17 throw what the disk refuses at the next call, and at each one after', async () => {
    const { stream, letGo } = disk({ room: 10 });
    const { write, end } = boundedWrites(stream);
    await write(chunk(60));
    letGo();
    await turn();
    for (const call of [() => write(chunk(1)), () => write(chunk(1)), end]) {
      await expect(call()).rejects.toMatchObject({ code: 'ENOSPC' });
    }
  });

  it('G17 throw what the disk refuses while a write waits', async () => {
    const { stream, letGo } = disk({ room: 10 });
    const { write, end } = boundedWrites(stream);
    const waiting = write(chunk(100));
    letGo();
    await expect(waiting).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(end()).rejects.toMatchObject({ code: 'ENOSPC' });
  });
});
