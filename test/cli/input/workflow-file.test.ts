import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWorkflowFile } from '../../../src/cli/input/workflow-file.js';
import { png, pngText } from '../../workflow/metadata/write-pictures.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

const read = (file: string, stdin: readonly unknown[] = [], more: object = {}) =>
  readWorkflowFile(file, { stdin: Readable.from(stdin), stop: new AbortController().signal, ...more });
const file = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

const api = '{"1":{"class_type":"A","inputs":{}}}';
const ui = '{"nodes":[],"links":[]}';
const picture = png([pngText('prompt', api), pngText('workflow', ui)]);

describe('readWorkflowFile', () => {
  it('gives the text of a JSON file without its mark, whatever the name', async () => {
    const path = await file('a.txt', `\uFEFF${api}`);
    expect(await read(path)).toEqual({ name: path, text: api });
  });

  it('gives the text of what is of no known format, for others to refuse', async () => {
    const path = await file('a.txt', 'no JSON');
    expect(await read(path)).toEqual({ name: path, text: 'no JSON' });
  });

  it('gives the executed graph of a picture, else the editor’s file, and what the picture carries', async () => {
    const both = await read(await file('a.png', picture));
    expect(both.text).toBe(api);
    expect(both.carrier).toMatchObject({ _tag: 'Found', format: 'png', workflow: { text: ui } });
    expect((await read(await file('b.png', png([pngText('workflow', ui)])))).text).toBe(ui);
  });

  it('reads of a large file the parts that it needs alone', async () => {
    const path = await file('large.png', picture.subarray(0, -12));
    // More than can be read at once; the disk has nothing of it.
    await truncate(path, 3 * 1024 ** 3);
    expect((await read(path)).text).toBe(api);
  });

  it('keeps what looks like a mark within a text', async () => {
    const text = '{"a":"\uFEFF"}';
    expect((await read(await file('a.json', text))).text).toBe(text);
  });

  it('reads standard input for `-`, a picture as well', async () => {
    expect(await read('-', [api.slice(0, 9), api.slice(9)])).toEqual({ name: 'standard input', text: api });
    expect(await read('-', [picture])).toMatchObject({ name: 'standard input', text: api });
  });

  it('reads a pipe, which has no size', async () => {
    const path = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [path]);
    const [given] = await Promise.all([read(path), writeFile(path, picture)]);
    expect(given).toMatchObject({ name: path, text: api, carrier: { format: 'png' } });
  });

  it('refuses a picture without a workflow, and one that can not be searched', async () => {
    const empty = await file('empty.png', png([]));
    await expect(read(empty)).rejects.toThrow(
      `${empty} is a file of the format png that carries no workflow`,
    );
    const cut = await file('cut.png', picture.subarray(0, 50));
    await expect(read(cut)).rejects.toThrow(`${cut} can't be searched: `);
  });

  it.each([
    ['maxMetadataBytes', 5, '--max-metadata-bytes raises it.'],
    ['maxParts', 1, '--max-parts raises it.'],
  ])('names the option of the bound %s where it is too low', async (option, bound, words) => {
    const path = await file('a.png', png([pngText('other', 'x'), pngText('prompt', api)]));
    const refused = read(path, [], { [option]: bound });
    await expect(refused).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`the bound of ${option}`) as string,
    });
    await expect(read(path, [], { [option]: bound })).rejects.toThrow(words);
  });

  it('says why a file can not be read', async () => {
    const none = join(folder, 'none.json');
    await expect(read(none)).rejects.toMatchObject({
      name: 'UsageError',
      message: `can't read ${none}: there is no such file`,
    });
    await expect(read(folder)).rejects.toThrow(`can't read ${folder}: it is a folder`);
  });

  it('warns of a text that is no UTF-8', async () => {
    const warned: string[] = [];
    const path = await file('a.json', Buffer.from('{"a":"é"}', 'latin1'));
    const { text } = await read(path, [], { warn: (message: string) => warned.push(message) });
    expect([text, warned.length]).toEqual(['{"a":"é"}', 1]);
    expect(warned[0]).toContain(`${path} is not UTF-8`);
  });
});
