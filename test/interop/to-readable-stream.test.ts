import { concat, EMPTY, NEVER, of, range, Subject, throwError } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { toReadableStream } from '../../src/core/interop/to-readable-stream.js';
import { countingSignal } from '../helpers/counting-signal.js';
import { settle } from '../helpers/settle.js';

const readAll = async <A>(stream: ReadableStream<A>): Promise<A[]> => {
  const reader = stream.getReader();
  const all: A[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return all;
    all.push(value);
  }
};

/** Waits until whatever could happen in microtasks has happened. */
const closed = { value: undefined, done: true };

describe('toReadableStream', () => {
  it('carries each value in order and closes with the source', async () => {
    expect(await readAll(toReadableStream(of('a', 'b', 'c')))).toEqual(['a', 'b', 'c']);
    expect(await readAll(toReadableStream(EMPTY))).toEqual([]);
  });

  it('subscribes when it is made, so that nothing is lost before the first read', async () => {
    const source = new Subject<number>();
    const stream = toReadableStream(source);
    source.next(1);
    source.next(2);
    source.complete();
    expect(await readAll(stream)).toEqual([1, 2]);
  });

  it('takes a value out of the bounded queue for each read, and holds none itself', async () => {
    const source = new Subject<number>();
    const reader = toReadableStream(source, { capacity: 2, overflow: 'drop-oldest' }).getReader();
    await settle();
    for (const value of [1, 2, 3]) source.next(value);
    await settle();
    expect(await reader.read()).toEqual({ value: 2, done: false });
    await settle();
    for (const value of [4, 5, 6]) source.next(value);
    source.complete();
    expect(await reader.read()).toEqual({ value: 5, done: false });
    expect(await reader.read()).toEqual({ value: 6, done: false });
    expect(await reader.read()).toEqual(closed);
  });

  it('fails on overflow by default', async () => {
    await expect(readAll(toReadableStream(range(5), { capacity: 4 }))).rejects.toMatchObject({
      _tag: 'Overflow',
    });
  });

  it('fails with the error of the source after the values before it', async () => {
    const boom = new Error('boom');
    const reader = toReadableStream(
      concat(
        of(1),
        throwError(() => boom),
      ),
    ).getReader();
    expect(await reader.read()).toEqual({ value: 1, done: false });
    await expect(reader.read()).rejects.toBe(boom);
  });

  it('unsubscribes when it is cancelled, also while a read is pending', async () => {
    const source = new Subject<number>();
    const reader = toReadableStream(source).getReader();
    const pending = reader.read();
    const cancelled = reader.cancel();
    expect(source.observed).toBe(false);
    await cancelled;
    expect(await pending).toEqual(closed);
  });

  it('unsubscribes when a loop over it breaks', async () => {
    const source = new Subject<number>();
    const stream = toReadableStream(source);
    source.next(1);
    for await (const value of stream as unknown as AsyncIterable<number>) {
      expect(value).toBe(1);
      break;
    }
    expect(source.observed).toBe(false);
  });

  it('closes when its signal fires, and leaves no listener', async () => {
    const { signal, abort, listeners } = countingSignal();
    const reader = toReadableStream(NEVER, { signal }).getReader();
    const pending = reader.read();
    abort();
    expect(await pending).toEqual(closed);
    expect(listeners()).toBe(0);
  });

  it('has the type of its values', () => {
    expectTypeOf(toReadableStream(of(1))).toEqualTypeOf<ReadableStream<number>>();
  });
});
