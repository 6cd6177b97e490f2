import { describe, expect, it } from 'vitest';
import { Interrupted, NodeFailure } from '../../../../src/emulator/engine/node-class.js';
import { nodeClasses } from '../../../../src/emulator/engine/node-classes.js';
import { plainPicture, recordingContext, runNode } from '../run-node.js';

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

const combo = nodeClasses.get('FailOnPurpose')!.definition({ inputs: [] }).input.required![
  'exception_type'
]![0] as string[];

describe('FailOnPurpose', () => {
  it('offers the nine documented exception types, and types of Python', () => {
    expect(combo).toEqual([
      'ValidationError',
      'ModelDownloadError',
      'ImageDownloadError',
      'OOMError',
      'InsufficientFundsError',
      'InactiveSubscriptionError',
      'ServiceError',
      'PanicError',
      'DispatcherError',
      'ValueError',
      'RuntimeError',
      'torch.OutOfMemoryError',
    ]);
  });

  it.each(combo)('fails with %s', async (exceptionType) => {
    const error: unknown = await runNode('FailOnPurpose', {
      exception_type: exceptionType,
      message: 'boom ✗',
    }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NodeFailure);
    expect(error).toMatchObject({ exceptionType, message: 'boom ✗' });
  });

  it('takes the steps that it is told before it fails', async () => {
    const context = recordingContext();
    const run = runNode(
      'FailOnPurpose',
      { exception_type: 'ValueError', message: 'late', steps: 3 },
      context,
    );
    await expect(run).rejects.toThrow('late');
    expect(context.steps).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it('hands on its picture when it is told not to fail', async () => {
    const image = [plainPicture(1, 1, [0, 0, 0])];
    const result = await runNode('FailOnPurpose', {
      exception_type: 'ValueError',
      message: '',
      fail: false,
      image,
    });
    expect(result.values).toEqual([image]);
  });
});

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
