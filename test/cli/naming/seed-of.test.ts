import { describe, expect, it } from 'vitest';
import { seedOf } from '../../../src/cli/naming/seed-of.js';
import { textToImageWorkflow } from '../../../src/emulator/index.js';
import type { Workflow } from '../../../src/node.js';

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
