import { describe, expect, it } from 'vitest';
import { NodeFailure } from '../../../../src/emulator/engine/node-class.js';
import { nodeClasses } from '../../../../src/emulator/engine/node-classes.js';
import { plainPicture, recordingContext, runNode } from '../run-node.js';

const combo = nodeClasses.get('FailOnPurpose')!.definition({ inputs: [] }).input.required![
  'exception_type'
]![0] as string[];

describe('FailOnPurpose', () => {
  it('offers the six documented exception types, and types of Python', () => {
    expect(combo).toEqual([
      'ValidationError',
      'ModelDownloadError',
      'ImageDownloadError',
      'OOMError',
      'InsufficientFundsError',
      'InactiveSubscriptionError',
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
