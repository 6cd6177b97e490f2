import { describe, expect, it } from 'vitest';
import { nameFiles } from '../../../src/cli/naming/name-files.js';
import { readNamePattern } from '../../../src/cli/naming/name-pattern.js';
import { textToImageWorkflow } from '../../../src/emulator/index.js';
import type { OutputFile } from '../../../src/node.js';

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
