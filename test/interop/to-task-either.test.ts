import { left, right } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { concat, defer, EMPTY, map, of, throwError } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { toTaskEither } from '../../src/core/interop/to-task-either.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';

describe('toTaskEither', () => {
  it('gives the last value as Right', async () => {
    expect(await toTaskEither(of(1, 2, 3))()).toEqual(right(3));
    expect(await toTaskEither(of(undefined))()).toEqual(right(undefined));
  });

  it('gives a ServiceError of the stream as Left, itself', async () => {
    const error = serviceError('NotFound', {});
    expect(
      await toTaskEither(
        concat(
          of(1),
          throwError(() => error),
        ),
      )(),
    ).toEqual(left(error));
  });

  it('gives Empty where no value came', async () => {
    expect(await toTaskEither(EMPTY)()).toMatchObject({
      _tag: 'Left',
      left: { _tag: 'Empty', retry: 'never' },
    });
  });

  it.each([
    ['TypeError', new TypeError('boom')],
    ['string', 'boom'],
  ])('never rejects: another error, here a %s, is the cause of a Defect', async (_, cause) => {
    const step = map(() => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- what an untyped program may throw
      throw cause;
    });
    expect(await toTaskEither(of(1).pipe(step))()).toMatchObject({
      _tag: 'Left',
      left: { _tag: 'Defect', retry: 'never', cause },
    });
  });

  it('subscribes once for each run, not before', async () => {
    let subscriptions = 0;
    const task = toTaskEither(defer(() => of(++subscriptions)));
    expect(subscriptions).toBe(0);
    expect([await task(), await task()]).toEqual([right(1), right(2)]);
  });

  it('has the type of the value', () => {
    expectTypeOf(toTaskEither(of(1))).toEqualTypeOf<TaskEither<ServiceError, number>>();
  });
});
