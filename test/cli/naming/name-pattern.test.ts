import { describe, expect, it } from 'vitest';
import { type NameValues, placeholders, readNamePattern } from '../../../src/cli/naming/name-pattern.js';
import { UsageError } from '../../../src/cli/cli-io.js';
import { codeOf, tableUnder } from '../helpers/cli-docs.js';

const values: NameValues = {
  name: 'ComfyUI_00001_',
  title: 'Save / the  picture',
  node: '9',
  class: 'SaveImage',
  seed: '42',
  index: '1',
  prompt: 'ab-1',
  ext: 'png',
};

describe('readNamePattern', () => {
  it.each([
    ['{title}-{seed}-{index}', 'Save_the_picture-42-1.png'],
    ['{prompt}_{node}_{class}_{name}', 'ab-1_9_SaveImage_ComfyUI_00001_.png'],
    ['{name}.{ext}', 'ComfyUI_00001_.png'],
    ['cat.PNG', 'cat.PNG'],
    ['cat.jpg', 'cat.jpg.png'],
  ])('makes of %s the name %s, and keeps the extension', (pattern, name) => {
    expect(readNamePattern(pattern)(values)).toBe(name);
  });

  it('adds no point to a file without an extension', () => {
    expect(readNamePattern('{name}')({ ...values, ext: '' })).toBe('ComfyUI_00001_');
  });

  it('refuses a placeholder that it does not know, and lists those that it knows', () => {
    expect(() => readNamePattern('{title}-{sed}')).toThrow(
      new UsageError(
        '--name: {sed} is not known; the placeholders are {name}, {title}, {node}, {class}, {seed}, {index}, {prompt}, {ext}',
      ),
    );
  });

  it.each(['', '  ', 'a/{name}', 'a\\{name}'])('refuses %j', (pattern) => {
    expect(() => readNamePattern(pattern)).toThrow(UsageError);
  });

  it('knows the placeholders of docs/cli.md', () => {
    expect(tableUnder('#### Names of files').map(([name]) => codeOf(name))).toEqual(
      placeholders.map((name) => `{${name}}`),
    );
  });
});
