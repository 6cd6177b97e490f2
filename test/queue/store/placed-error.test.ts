import { expect, it } from 'vitest';
import { placedError } from '../../../src/server/queue/store/placed-error.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

it('says which of several jobs an error is of, and leaves all else of it', () => {
  const error = serviceError('InvalidConfig', {
    option: 'priority',
    message: 'No.',
    hint: 'Do.',
    cause: new Error('why'),
  });
  expect(placedError(error, 0, 1)).toBe(error);
  const other = new Error('a bug');
  expect(placedError(other, 0, 2)).toBe(other);
  const placed = placedError(error, 1, 3);
  expect(placed).toMatchObject({ _tag: 'InvalidConfig', option: 'priority', hint: 'Do.' });
  expect((placed as Error).message).toBe('Job 2 of 3, so none was added: No.');
  expect((placed as Error).cause).toBe(error.cause);
  expect((placedError(error, 0, 2) as Error).message).toBe('Job 1 of 2, so none was added: No.');
});
