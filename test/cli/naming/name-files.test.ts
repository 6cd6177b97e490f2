import { describe, expect, it } from 'vitest';
import { nameFiles, seedOf } from '../../../src/cli/naming/name-files.js';
import type { OutputFile, Workflow } from '../../../src/node.js';
import { readNamePattern } from '../../../src/cli/naming/name-pattern.js';
import { textToImageWorkflow } from '../../../src/emulator/index.js';

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
