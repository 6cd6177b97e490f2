import { describe, expect, it } from 'vitest';
import { EMPTY, of, Subject, throwError } from 'rxjs';
import * as former from '../../src/client/deprecated.js';
import { fromAbortSignal } from '../../src/core/interop/from-abort-signal.js';
import { toAbortSignal } from '../../src/core/interop/to-abort-signal.js';

describe('toAbortSignal', () => {
  it('fires with the first value and unsubscribes', () => {
    const source = new Subject<number>();
    const signal = toAbortSignal(source);
    expect(signal.aborted).toBe(false);
    source.next(1);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ _tag: 'Aborted' });
    expect(source.observed).toBe(false);
  });

  it('fires with completion', () => {
    expect(toAbortSignal(EMPTY).aborted).toBe(true);
  });

  it('fires with an error, which is its reason', () => {
    const boom = new Error('boom');
    expect(toAbortSignal(throwError(() => boom)).reason).toBe(boom);
  });

  it('has fired already for a stream that emits at once', () => {
    expect(toAbortSignal(of(1)).aborted).toBe(true);
  });
});

it('the former names of both are the same functions', () => {
  const { toSignal, fromSignal } = former as Readonly<Record<string, unknown>>;
  expect([toSignal, fromSignal]).toEqual([toAbortSignal, fromAbortSignal]);
});
