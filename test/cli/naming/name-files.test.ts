import { codeOf, tableUnder } from '../helpers/cli-docs.js';
import { describe, expect, it } from 'vitest';
import {
  nameFiles,
  type NameValues,
  placeholders,
  readNamePattern,
  seedOf,
} from '../../../src/cli/naming/name-files.js';
import type { OutputFile, Workflow } from '../../../src/node.js';
import { textToImageWorkflow } from '../../../src/emulator.js';
import { UsageError } from '../../../src/cli/cli-io.js';

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

const file = (filename: string, parts: Partial<OutputFile> = {}): OutputFile => ({
  nodeId: '9',
  filename,
  subfolder: '',
  type: 'output',
  mediaType: 'image/png',
  ...parts,
});
const hash = 'ab'.repeat(32);
const workflow = textToImageWorkflow({ seed: 7 });
const namesOf = (files: readonly OutputFile[], options: Partial<Parameters<typeof nameFiles>[1]> = {}) => [
  ...nameFiles(files, { promptId: 'p', workflow, ...options }).values(),
];

describe('nameFiles', () => {
  it('keeps the service’s name, unless it is a hash alone', () => {
    expect(namesOf([file('promptwire_00001_.png'), file(`${hash}.png`)])).toEqual([
      'promptwire_00001_.png',
      'Save-2.png',
    ]);
  });

  it('names a hash by its node where the workflow is not known', () => {
    expect(namesOf([file(hash)], { workflow: undefined })).toEqual(['node_9-1']);
  });

  it('takes title and seed from the node of the workflow that a run-time node belongs to', () => {
    const pattern = readNamePattern('{title}-{seed}-{index}');
    const files = [file('a.png', { nodeId: '9.0.1', displayNodeId: '9' }), file('b.webm', { nodeId: '77' })];
    expect(namesOf(files, { pattern })).toEqual(['Save-7-1.png', 'node_77-7-2.webm']);
  });
});

const node = (inputs: Workflow[string]['inputs']): Workflow[string] => ({ class_type: 'Any', inputs });

describe('seedOf', () => {
  it('is the seed of the sampler that the file comes from', () => {
    expect(seedOf(textToImageWorkflow({ seed: 7 }), '9')).toBe('7');
  });

  it('is that of the nearest node upstream', () => {
    const workflow = {
      1: node({ seed: 1 }),
      2: node({ noise_seed: 2, latent: ['1', 0] }),
      3: node({ images: ['2', 0], other: ['1', 0] }),
      4: node({ images: ['1', 0] }),
    };
    expect([seedOf(workflow, '3'), seedOf(workflow, '4')]).toEqual(['2', '1']);
  });

  it('is the value of a node that the seed links to, also as text', () => {
    const workflow = { 1: node({ value: '18446744073709551615' }), 2: node({ seed: ['1', 0] }) };
    expect(seedOf(workflow, '2')).toBe('18446744073709551615');
  });

  it('is any seed of the workflow where the node has none behind it, and none where no node has', () => {
    expect(seedOf({ 1: node({ seed: 5 }), 2: node({}) }, '2')).toBe('5');
    expect(
      seedOf({ 1: node({ seed: 'none' }), 2: node({ images: ['1', 0], again: ['2', 0] }) }, '2'),
    ).toBeUndefined();
  });

  it('is no number that was rounded', () => {
    expect(seedOf({ 1: node({ seed: 2 ** 60 }) }, '1')).toBeUndefined();
  });
});
