import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { saveInto } from '../../src/cli/save-into.js';
import { tmpdir } from 'node:os';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-'));
});
afterEach(() => rm(folder, { recursive: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('files that are saved into a folder', () => {
  it('make it, are whole, and replace a link without following it', async () => {
    const into = join(folder, 'a', 'b');
    const save = saveInto(into);
    expect(await save('x.png', bytes('one'))).toBe(pathToFileURL(join(into, 'x.png')).href);
    const other = join(folder, 'other');
    await writeFile(other, 'kept');
    await symlink(other, join(into, 'y.png'));
    await save('y.png', bytes('two'));
    expect(await readFile(other, 'utf8')).toBe('kept');
    expect(await readFile(join(into, 'y.png'), 'utf8')).toBe('two');
    expect(await readdir(into)).toEqual(['x.png', 'y.png']);
  });

  it('leave nothing where they can’t be written', async () => {
    await mkdir(join(folder, 'x.png'));
    await expect(saveInto(folder)('x.png', bytes('one'))).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(saveInto(folder)('missing/y.png', bytes('one'))).rejects.toMatchObject({ syscall: 'open' });
    expect(await readdir(folder)).toEqual(['x.png']);
  });
});
