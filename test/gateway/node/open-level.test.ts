import { describe, expect, it, onTestFinished } from 'vitest';
import { join } from 'node:path';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { newFolder } from './ports-in-a-folder.js';
import { openLevel } from '../../../src/server/gateway/node/open-level.js';

const opened = async (folder?: string) => {
  const own = folder ?? (await newFolder());
  const { level, ...others } = await openLevel(own);
  onTestFinished(() => level.close());
  return { folder: own, level, ...others };
};
/** An error as the database gives it: one for the call, and one for its cause. */
const levelError = (code: string, message: string, cause?: Error): Error =>
  Object.assign(new Error(message, cause && { cause }), { code });

describe('the database of a folder', () => {
  it('is opened anew with all that it has, and leaves nothing of the trial', async () => {
    const { folder, level, reopen } = await opened();
    await level.put('a', '1');
    await reopen();
    await level.put('b', '2');
    expect([await level.get('a'), await level.get('b')]).toEqual(['1', '2']);
    expect(await readdir(join(folder, 'store'))).not.toContain('probe');
  });

  it.each(['', ' ', '\t\n'])('is none in a folder whose name is %j', async (folder) => {
    await expect(openLevel(folder)).rejects.toMatchObject({ _tag: 'InvalidConfig', option: 'folder' });
  });

  it('is new in a folder where others keep files of their own', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'store'));
    for (const name of ['notes-1.log', '1.logs', '2.txt']) await writeFile(join(folder, 'store', name), '');
    const { level } = await opened(folder);
    expect(level.status).toBe('open');
  });

  it.each(['000005.ldb', '000005.sst', '12.log'])(
    'is damaged where there is %s and no CURRENT',
    async (name) => {
      const folder = await newFolder();
      await mkdir(join(folder, 'store'));
      await writeFile(join(folder, 'store', name), '');
      await expect(openLevel(folder)).rejects.toMatchObject({
        ...{ _tag: 'InvalidConfig', option: 'folder' },
        message: expect.stringContaining('its file CURRENT is missing') as string,
      });
    },
  );

  it.each(['', 'MANIFEST-000004', 'MANIFEST-x\n', 'x MANIFEST-000004\n', 'MANIFEST-000004\nx'])(
    'is damaged where CURRENT is %j',
    async (text) => {
      const folder = await newFolder();
      await mkdir(join(folder, 'store'));
      await writeFile(join(folder, 'store', 'CURRENT'), text);
      await expect(openLevel(folder)).rejects.toMatchObject({
        message: expect.stringContaining('its file CURRENT names no file of the store') as string,
      });
    },
  );
});

describe('an error of the database', () => {
  it('that is none stays as it is', async () => {
    const { toError } = await opened();
    for (const error of [
      new Error('a bug'),
      new Error('a bug', { cause: levelError('LEVEL_CORRUPTION', 'inside') }),
      levelError('ENOENT', 'no file', new Error('cause')),
      undefined,
      'a text',
    ])
      expect(toError(error)).toBe(error);
  });

  it.each([
    ['LEVEL_CORRUPTION', 'Corruption: bad block'],
    ['LEVEL_IO_ERROR', 'IO error: store/000005.ldb: No such file or directory'],
    ['LEVEL_IO_ERROR', 'IO error: store/000005.ldb: Invalid argument'],
  ])('is damage, and says what repairs it: %s %s', async (code, message) => {
    const { folder, toError } = await opened();
    expect(toError(levelError(code, message))).toMatchObject({
      _tag: 'InvalidConfig',
      message: `The store in ${folder} is damaged: ${message}. "promptwire serve --check ${folder} --repair" makes of it what can be read.`,
    });
  });

  it.each([
    ['No space left on device', 'ENOSPC'],
    ['Disk quota exceeded', 'EDQUOT'],
    ['Permission denied', 'EACCES'],
    ['Read-only file system', 'EROFS'],
    ['Too many open files', 'EMFILE'],
    ['Something else', 'EIO'],
  ])('is one of the file system: %s is %s', async (words, code) => {
    const { folder, toError } = await opened();
    const cause = levelError('LEVEL_IO_ERROR', `IO error: ${words}`);
    for (const error of [cause, levelError('LEVEL_DATABASE_NOT_OPEN', 'Database is not open', cause)])
      expect(toError(error)).toMatchObject({
        ...{ _tag: 'FileSystem', code, path: join(folder, 'store'), cause: error },
        message: expect.stringContaining(words) as string,
      });
    expect(toError(levelError('LEVEL_DATABASE_NOT_OPEN', 'closed'))).toMatchObject({ code: 'EIO' });
  });
});
