import { describe, expect, it } from 'vitest';
import { Interrupted } from '../../../../src/emulator/engine/node-class.js';
import { recordingContext, runNode } from '../run-node.js';

describe('SlowNode', () => {
  it('takes each step in turn, without previews', async () => {
    const context = recordingContext();
    const result = await runNode('SlowNode', { steps: 4 }, context);
    expect(context.steps.map(([value]) => value)).toEqual([1, 2, 3, 4]);
    expect(context.previews).toEqual([]);
    expect(result).toEqual({ values: [4], ui: { text: ['4 steps'] } });
  });

  it('hands on what came in', async () => {
    expect((await runNode('SlowNode', { steps: 0, anything: 'x' })).values).toEqual(['x']);
  });

  it('waits for a step before it takes the next one, and lets an interruption pass', async () => {
    const asked: number[] = [];
    const step = (value: number): Promise<void> => {
      asked.push(value);
      return value < 3 ? Promise.resolve() : Promise.reject(new Interrupted());
    };
    await expect(runNode('SlowNode', { steps: 9 }, recordingContext({ step }))).rejects.toThrow(Interrupted);
    expect(asked).toEqual([1, 2, 3]);
  });
});
