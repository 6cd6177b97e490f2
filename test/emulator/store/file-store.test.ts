import { describe, expect, it } from 'vitest';
import { createFileStore, type Upload } from '../../../src/emulator/store/file-store.js';

const upload = (byte: number, more: Partial<Upload> = {}): Upload => ({
  bytes: Uint8Array.of(byte),
  filename: 'cat.png',
  type: 'input',
  subfolder: '',
  overwrite: false,
  ...more,
});

describe('a store of content hashes', () => {
  it('finds a file under its name with any type and subfolder', () => {
    const store = createFileStore({ fileNames: 'hash' });
    const { filename, type } = store.save({
      bytes: Uint8Array.of(1),
      extension: 'png',
      prefix: 'a/b',
      type: 'temp',
    });
    expect([filename, type]).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.png$/), 'temp']);
    for (const name of [filename, `x/${filename}`, `${filename} [output]`]) {
      expect(store.find(name, 'output', 'elsewhere')?.bytes).toEqual(Uint8Array.of(1));
    }
    expect(store.find('other.png')).toBeUndefined();
  });

  it('lists uploads of type input, even if the same bytes were there before as something else', () => {
    const store = createFileStore({ fileNames: 'hash' });
    const output = store.upload(upload(1, { type: 'output' }));
    expect(store.inputs()).toEqual([]);
    store.upload(upload(1));
    store.upload(upload(1, { type: 'output' }));
    expect(store.inputs()).toEqual([output.filename]);
  });
});

describe('a store of counted names', () => {
  it('counts up within a prefix, and makes subfolders of its slashes', () => {
    const store = createFileStore({ fileNames: 'counter' });
    const save = (prefix: string, byte: number) =>
      store.save({ bytes: Uint8Array.of(byte), extension: 'png', prefix, type: 'output' });
    expect(save('pic', 1)).toEqual({ filename: 'pic_00001_.png', subfolder: '', type: 'output' });
    expect(save('pic', 1).filename).toBe('pic_00002_.png');
    expect(save('my/day/pic', 2)).toEqual({
      filename: 'pic_00001_.png',
      subfolder: 'my/day',
      type: 'output',
    });
    expect(store.find('pic_00001_.png', 'output', 'my/day')?.bytes).toEqual(Uint8Array.of(2));
    expect(store.find('my/day/pic_00001_.png [output]')?.bytes).toEqual(Uint8Array.of(2));
    expect(store.find('pic_00001_.png', 'temp')).toBeUndefined();
  });

  it('lists uploads with their subfolder', () => {
    const store = createFileStore({ fileNames: 'counter' });
    store.upload(upload(1));
    store.upload(upload(2, { subfolder: 'pets' }));
    expect(store.inputs()).toEqual(['cat.png', 'pets/cat.png']);
  });
});
