import { type FileHandle, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { join } from 'node:path';
import { openJournal } from '../../../src/gateway/node/file-journal.js';
import { tmpdir } from 'node:os';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-journal-'));
});
afterEach(() => rm(folder, { recursive: true }));

const lines = (count: number): number[] => Array.from({ length: count }, (_, nth) => nth);

it('keeps the old file where a new one can’t be written, and tries again only once much more was appended', async () => {
  const path = join(folder, 'jobs.jsonl');
  const journal = await openJournal(path, () => undefined, { sync: false });
  await journal.append(lines(1_000));
  expect(journal.isStale(1)).toBe(true);
  // A folder stands where the new file would be written.
  await mkdir(`${path}.new`);
  await journal.compact([0]);
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(1_001);
  await journal.append([0]);
  expect(journal.isStale(1)).toBe(false);
  await journal.append(lines(1_000));
  expect(journal.isStale(1)).toBe(true);
  await rm(`${path}.new`, { recursive: true });
  await journal.compact([0]);
  expect(await readFile(path, 'utf8')).toBe('0\n');
  await journal.close();
});

/** What a journal does with its files: the methods of every handle. */
const handles = async (): Promise<FileHandle> => {
  const file = await open(join(folder, 'any'), 'a');
  await file.close();
  return Object.getPrototypeOf(file) as FileHandle;
};

const textOf = (name: string) => readFile(join(folder, name), 'utf8');

it('resolves an append once the disk has it, one wait for all that came meanwhile', async () => {
  const prototype = await handles();
  const path = join(folder, 'jobs.jsonl');
  const journal = await openJournal(path, () => undefined);
  const onDisk: string[] = [];
  const own: unknown = Reflect.get(prototype, 'datasync');
  const datasync = vi.spyOn(prototype, 'datasync').mockImplementation(async function (this: FileHandle) {
    onDisk.push(await textOf('jobs.jsonl'));
    await (own as FileHandle['datasync']).call(this);
  });
  const resolved: number[] = [];
  await Promise.all(
    [1, 2, 3].map(async (value) => {
      await journal.append([value]);
      resolved.push(value);
      expect(onDisk.at(-1)).toContain(`${value}\n`);
    }),
  );
  expect(resolved).toEqual([1, 2, 3]);
  expect(datasync).toHaveBeenCalledTimes(1);
  await journal.append([4]);
  await journal.compact([5]);
  expect(onDisk).toEqual(['1\n2\n3\n', '1\n2\n3\n4\n', '1\n2\n3\n4\n']);
  await journal.close();

  datasync.mockClear();
  const quick = await openJournal(join(folder, 'quick.jsonl'), () => undefined, { sync: false });
  await quick.append([1]);
  await quick.compact([1]);
  expect(datasync).not.toHaveBeenCalled();
  await quick.close();
});

it('makes the name of a new file durable, and that of one written anew', async () => {
  const prototype = await handles();
  const sync = vi.spyOn(prototype, 'sync');
  const journal = await openJournal(join(folder, 'jobs.jsonl'), () => undefined);
  expect(sync).toHaveBeenCalledTimes(1);
  await journal.append([1]);
  await journal.compact([1]);
  expect(sync).toHaveBeenCalledTimes(2);
  await journal.close();
  const again = await openJournal(join(folder, 'jobs.jsonl'), () => undefined);
  expect(sync).toHaveBeenCalledTimes(2);
  await again.close();
});

it('keeps what is appended while a new file waits for its turn or is written', async () => {
  const journal = await openJournal(join(folder, 'jobs.jsonl'), () => undefined, { sync: false });
  const busy = [journal.append(['before']), journal.append(['waiting'])];
  // All that is known by now: what follows is none of it.
  const anew = journal.compact(['all so far']);
  const later = [journal.append(['while it waits']), journal.compact(['not twice'])];
  await Promise.all([...busy, anew, ...later]);
  expect(await textOf('jobs.jsonl')).toBe('"all so far"\n"while it waits"\n');
  await journal.append(['after']);
  await journal.compact(['anew']);
  expect(await textOf('jobs.jsonl')).toBe('"anew"\n');
  await journal.close();
});

it('cuts off what a failure left of a line, and goes on with the next one', async () => {
  const prototype = await handles();
  const journal = await openJournal(join(folder, 'jobs.jsonl'), () => undefined);
  await journal.append(['kept']);
  vi.spyOn(prototype, 'datasync').mockRejectedValueOnce(new Error('The disk is full.'));
  await expect(journal.append(['half of it'])).rejects.toThrow('The disk is full.');
  expect(await textOf('jobs.jsonl')).toBe('"kept"\n');
  await journal.append(['next']);
  expect(await textOf('jobs.jsonl')).toBe('"kept"\n"next"\n');
  await journal.close();
});

it('reads every whole line, refuses a file of others, and lets no one else read its own', async () => {
  const path = join(folder, 'jobs.jsonl');
  const first = await openJournal(path, () => undefined, { sync: false });
  await first.append([{ text: 'a\nb', huge: 2n ** 64n }, 2]);
  await first.close();
  expect((await stat(path)).mode & 0o077).toBe(0);
  await writeFile(path, `${await textOf('jobs.jsonl')}{"torn"`);
  const seen: unknown[] = [];
  const second = await openJournal(path, (value) => seen.push(value), { sync: false });
  expect(seen).toEqual([{ text: 'a\nb', huge: 2n ** 64n }, 2]);
  await second.append([3]);
  expect((await textOf('jobs.jsonl')).endsWith('}\n2\n3\n')).toBe(true);
  await second.compact([4]);
  expect((await stat(path)).mode & 0o077).toBe(0);
  await second.close();
  await writeFile(path, 'no json\n1\n');
  await expect(openJournal(path, () => undefined)).rejects.toThrow();
});

it('is stale with a thousand lines of which three in four are outdated, those of earlier runs included', async () => {
  const path = join(folder, 'jobs.jsonl');
  const first = await openJournal(path, () => undefined, { sync: false });
  await first.append(lines(999));
  expect(first.isStale(0)).toBe(false);
  await first.close();
  const second = await openJournal(path, () => undefined, { sync: false });
  expect(second.isStale(0)).toBe(false);
  await second.append([0]);
  expect([second.isStale(250), second.isStale(251)]).toEqual([true, false]);
  // In pieces, whose borders lose nothing.
  const large = Array.from({ length: 5 }, () => 'x'.repeat(400_000));
  await second.compact(large);
  expect((await textOf('jobs.jsonl')).split('\n').map(({ length }) => length)).toEqual([
    ...large.map(() => 400_002),
    0,
  ]);
  expect(second.isStale(0)).toBe(false);
  await second.append(lines(994));
  expect(second.isStale(0)).toBe(false);
  await second.append([0]);
  expect(second.isStale(0)).toBe(true);
  await second.close();
});

it('takes a file that a crash has cut at any byte of its last line', async () => {
  const path = join(folder, 'jobs.jsonl');
  const whole = await openJournal(path, () => undefined, { sync: false });
  await whole.append([{ id: 'a' }]);
  await whole.append([{ id: 'b', text: 'ä\n"' }]);
  await whole.close();
  const bytes = await readFile(path);
  const start = bytes.indexOf(0x0a) + 1;
  for (let end = start; end < bytes.length; end += 1) {
    await writeFile(path, bytes.subarray(0, end));
    const seen: unknown[] = [];
    const journal = await openJournal(path, (value) => seen.push(value), { sync: false });
    await journal.append([1]);
    await journal.close();
    expect([seen, await textOf('jobs.jsonl')]).toEqual([[{ id: 'a' }], '{"id":"a"}\n1\n']);
  }
});
