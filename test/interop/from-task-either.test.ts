import { left, right, type TaskEither } from 'fp-ts/lib/TaskEither.js';
import { firstValueFrom, type Observable } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { fromTaskEither } from '../../src/core/interop/from-task-either.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { record } from '../helpers/record.js';
import { settle } from '../helpers/settle.js';

/** A task that runs until its signal fires, and the signals that it was given. */
const endless = () => {
  const signals: AbortSignal[] = [];
  const make =
    (signal: AbortSignal): TaskEither<ServiceError, number> =>
    () => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
  return { make, signals };
};

describe('fromTaskEither', () => {
  it('emits the Right and completes', async () => {
    const told = record(fromTaskEither(right<ServiceError, number>(1)));
    await settle();
    expect(told).toMatchObject({ values: [1], end: 'complete' });
  });

  it('errors with the Left itself', async () => {
    const error = serviceError('NotFound', {});
    const told = record(fromTaskEither(left<ServiceError, number>(error)));
    await settle();
    expect(told).toMatchObject({ values: [], end: 'error' });
    expect(told.error).toBe(error);
  });

  it('errors with what a task rejects with that should not reject', async () => {
    const boom = new Error('boom');
    await expect(
      firstValueFrom(
        fromTaskEither(() => Promise.reject(boom)),
        { defaultValue: 0 },
      ),
    ).rejects.toBe(boom);
  });

  it('runs the task once for each subscription, not before', async () => {
    let runs = 0;
    const source = fromTaskEither<ServiceError, number>(() => right<ServiceError, number>(++runs)());
    expect(runs).toBe(0);
    const told = [record(source), record(source)];
    await settle();
    expect(told.map(({ values }) => values)).toEqual([[1], [2]]);
  });

  it('ignores the result after unsubscription', async () => {
    const told = record(fromTaskEither(right<ServiceError, number>(1)));
    told.subscription.unsubscribe();
    await settle();
    expect(told).toMatchObject({ values: [], end: 'none' });
  });

  it('gives a function a signal that fires on unsubscription, one for each subscription', () => {
    const { make, signals } = endless();
    const source = fromTaskEither(make);
    const first = record(source);
    record(source);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    first.subscription.unsubscribe();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('emits what the task of a function gave', async () => {
    const told = record(fromTaskEither((signal) => right<ServiceError, boolean>(signal.aborted)));
    await settle();
    expect(told).toMatchObject({ values: [false], end: 'complete' });
  });

  it('has the type of the Right, in both forms', () => {
    const task = right<ServiceError, number>(1);
    expectTypeOf(fromTaskEither(task)).toEqualTypeOf<Observable<number>>();
    expectTypeOf(fromTaskEither(() => task)).toEqualTypeOf<Observable<number>>();
  });
});
