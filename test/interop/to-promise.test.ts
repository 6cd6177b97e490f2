import { left, right, type TaskEither } from 'fp-ts/lib/TaskEither.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { toPromise } from '../../src/core/interop/to-promise.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';

describe('toPromise', () => {
  it('resolves with the Right', async () => {
    expect(await toPromise(right(1))).toBe(1);
  });

  it('rejects with the Left itself', async () => {
    const error = serviceError('NotFound', {});
    await expect(toPromise(left(error))).rejects.toBe(error);
  });

  it('runs the task once for each call', async () => {
    let runs = 0;
    const task: TaskEither<ServiceError, number> = () => right<ServiceError, number>(++runs)();
    expect([await toPromise(task), await toPromise(task)]).toEqual([1, 2]);
  });

  it('has the type of the Right', () => {
    expectTypeOf(toPromise(right<ServiceError, number>(1))).toEqualTypeOf<Promise<number>>();
  });
});
