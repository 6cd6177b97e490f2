import { describe, expect, it } from 'vitest';
import { BranchBlocked } from '../../../../src/emulator/engine/node-class.js';
import { runNode } from '../run-node.js';

describe('BlockBranch', () => {
  it('blocks with its message', async () => {
    const error: unknown = await runNode('BlockBranch', { anything: 1, message: 'not today' }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(BranchBlocked);
    expect(error).toHaveProperty('message', 'not today');
  });

  it('hands on what came in when it is told not to block', async () => {
    expect((await runNode('BlockBranch', { anything: 'x', message: '', block: false })).values).toEqual([
      'x',
    ]);
  });
});
