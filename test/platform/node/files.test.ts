import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatheredWrites, nodeFiles } from '../../../src/platform/node/files.js';
import { join } from 'node:path';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';

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

  it.each(['../x', 'a/b', '..', '', '/etc/x'])('refuses the name %j', async (name) => {
    await expect(nodeFiles.create(dir, name)).rejects.toMatchObject({ code: 'EINVAL' });
    expect(await readdir(dir)).toEqual([]);
  });

  it('rejects with the code of the system', async () => {
    await writeFile(join(dir, 'file'), '');
    await expect(nodeFiles.folder(join(dir, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(nodeFiles.create(join(dir, 'none'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(nodeFiles.open(join(dir, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(join(dir, 'taken'));
    await expect(save('taken', 'x', true)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('opens a file as a blob', async () => {
    await writeFile(join(dir, 'a'), 'content');
    const blob = await nodeFiles.open(join(dir, 'a'));
    expect([blob.size, await blob.text()]).toEqual([7, 'content']);
  });
});

const piece = (bytes: number, value: number): Uint8Array => new Uint8Array(bytes).fill(value);

/** A disk that takes at most `atOnce` bytes a call, and waits with each call until it is let go. */
const disk = ({ atOnce = Infinity, failsAfter = Infinity, waits = false } = {}) => {
  const calls: number[] = [];
  const written: number[] = [];
  const held: (() => void)[] = [];
  return {
    calls,
    written,
    letGo: () => held.shift()?.(),
    writev: async (pieces: readonly Uint8Array[]) => {
      calls.push(pieces.length);
      if (waits) await new Promise<void>((resolve) => held.push(resolve));
      if (written.length >= failsAfter) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      const bytes = pieces.flatMap((each) => [...each]).slice(0, Math.min(atOnce, failsAfter));
      for (const byte of bytes) written.push(byte);
      return { bytesWritten: bytes.length };
    },
  };
};

describe('gathered writes', () => {
  it('write small pieces by one call, in their order', async () => {
    const target = disk();
    const { write, flush } = gatheredWrites(target);
    for (const value of [1, 2, 3]) await write(piece(2, value));
    expect(target.calls).toEqual([]);
    await flush();
    await flush();
    expect([target.calls, target.written]).toEqual([[3], [1, 1, 2, 2, 3, 3]]);
  });

  it.each([1, 2, 3, 4, 5])('write the rest again where the disk takes %d bytes at once', async (atOnce) => {
    const target = disk({ atOnce });
    const { write, flush } = gatheredWrites(target);
    for (const value of [1, 2, 3]) await write(piece(value, value));
    await write(piece(0, 9));
    await flush();
    expect(target.written).toEqual([1, 2, 2, 3, 3, 3]);
  });

  it('wait for the disk with two batches in memory', async () => {
    const target = disk({ waits: true });
    const { write } = gatheredWrites(target);
    const batch = 512 * 1024;
    await write(piece(batch, 1));
    let room = false;
    const third = write(piece(batch, 2)).then(() => (room = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect([target.calls.length, room]).toEqual([1, false]);
    target.letGo();
    await third;
    expect([target.calls.length, room]).toEqual([2, true]);
    target.letGo();
  });

  it('give the memory of a batch back once it is written, and no sooner', async () => {
    const target = disk({ waits: true });
    const { write, flush } = gatheredWrites(target);
    const [first, second, small] = [piece(512 * 1024, 1), piece(512 * 1024, 2), piece(3, 3)];
    await write(first);
    expect(first.byteLength).toBe(512 * 1024);
    const room = write(second);
    target.letGo();
    await room;
    expect([first.byteLength, second.byteLength]).toEqual([0, 512 * 1024]);
    await write(small);
    const flushed = flush();
    target.letGo();
    await new Promise((resolve) => setImmediate(resolve));
    target.letGo();
    await flushed;
    expect([second.byteLength, small.byteLength, target.written.length]).toEqual([0, 0, 1024 * 1024 + 3]);
  });

  it('leave alone what is only a part of its buffer', async () => {
    const whole = piece(8, 1);
    const { write, flush } = gatheredWrites(disk({ atOnce: 3 }));
    await write(whole.subarray(2));
    await flush();
    expect(whole).toEqual(piece(8, 1));
  });

  it('G17 throw what the disk refuses at the next call, and at each one after', async () => {
    const target = disk({ failsAfter: 3 });
    const { write, flush } = gatheredWrites(target);
    await write(piece(4, 1));
    await expect(flush()).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(write(piece(1024 * 1024, 1))).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(flush()).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(target.written).toHaveLength(3);
  });
});
