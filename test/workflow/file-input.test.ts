import { describe, expect, it } from 'vitest';
import { fileInput } from '../../src/workflow/file-input.js';

describe('fileInput', () => {
  it.each([
    [{ name: 'a.png', subfolder: '', type: 'input' }, 'a.png'],
    [{ name: 'a.png', subfolder: 'in', type: 'temp' }, 'in/a.png [temp]'],
    [{ filename: 'a.png' }, 'a.png [output]'],
    [{ filename: 'a.png', subfolder: 'out', type: 'input' }, 'out/a.png'],
  ])('names %j as %s', (file, name) => {
    expect(fileInput(file)).toBe(name);
  });

  it('refers to an output by its asset alone, and never passes its link on', () => {
    const asset = { id: 'a1', url: 'https://storage.example/x?sig=1' };
    expect(fileInput({ filename: 'a.png', asset })).toEqual({ __type: 'core/ASSET', info: { id: 'a1' } });
    expect(fileInput({ filename: 'a.png', asset: { ...asset, hash: 'blake3:0' } })).toEqual({
      __type: 'core/ASSET',
      info: { id: 'a1', hash: 'blake3:0' },
    });
  });
});
