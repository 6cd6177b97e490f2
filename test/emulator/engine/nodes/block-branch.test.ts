import { describe, expect, it } from 'vitest';
import { runNode } from '../run-node.js';

describe('BlockBranch', () => {
  it('blocks with its message', async () => {
    expect(await runNode('BlockBranch', { anything: 1, message: 'not today' })).toEqual({
      values: [],
      blocked: 'not today',
    });
  });

  it('hands on what came in when it is told not to block', async () => {
    expect((await runNode('BlockBranch', { anything: 'x', message: '', block: false })).values).toEqual([
      'x',
    ]);
  });
});
