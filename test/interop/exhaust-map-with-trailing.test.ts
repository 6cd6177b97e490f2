import { describe, expect, it } from 'vitest';
import { EMPTY, NEVER, of, Subject } from 'rxjs';
import { exhaustMapWithTrailing } from '../../src/core/interop/exhaust-map-with-trailing.js';
import { marbles } from '../helpers/marbles.js';

describe('exhaustMapWithTrailing', () => {
  it('projects the newest value that came meanwhile, once the inner observable has completed', () =>
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source = hot('a-bc------d|');
      const inner = {
        a: cold('         ---a|'),
        c: cold('             ---c|'),
        d: cold('                   ---d|'),
      };
      const project = (name: string) => inner[name as keyof typeof inner];
      expectObservable(source.pipe(exhaustMapWithTrailing(project))).toBe('---a---c-----d|');
      expectSubscriptions(source.subscriptions).toBe('^----------!');
      expectSubscriptions(inner.a.subscriptions).toBe('^---!');
      expectSubscriptions(inner.c.subscriptions).toBe('----^---!');
      expectSubscriptions(inner.d.subscriptions).toBe('----------^---!');
    }));

  it('drops the older ones of those that wait', () =>
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source = hot(' -abcd-|');
      const inner = cold(' ----x|');
      expectObservable(source.pipe(exhaustMapWithTrailing(() => inner))).toBe('-----x----x|');
      expectSubscriptions(inner.subscriptions).toBe(['-^----!', '------^----!']);
    }));

  it('takes inner observables that complete at once, each of them', () => {
    const source = new Subject<number>();
    const seen: number[] = [];
    source.pipe(exhaustMapWithTrailing((value) => of(value, -value))).subscribe((value) => seen.push(value));
    for (const value of [1, 2, 3]) source.next(value);
    expect(seen).toEqual([1, -1, 2, -2, 3, -3]);
  });

  it('takes a value that the inner observable itself brings about', () => {
    const source = new Subject<number>();
    const seen: number[] = [];
    source
      .pipe(
        exhaustMapWithTrailing((value) => {
          if (value < 3) source.next(value + 1);
          return of(value);
        }),
      )
      .subscribe((value) => seen.push(value));
    source.next(1);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('completes with a source that is empty, and with the last inner observable', () =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(EMPTY.pipe(exhaustMapWithTrailing(() => NEVER))).toBe('|');
      expectObservable(cold('a|').pipe(exhaustMapWithTrailing(() => cold('---b|')))).toBe('---b|');
    }));

  it('ends with the error of the source, of the projection and of an inner observable', () =>
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const inner = cold('----x|');
      expectObservable(cold('a-#').pipe(exhaustMapWithTrailing(() => inner))).toBe('--#');
      expectSubscriptions(inner.subscriptions).toBe('^-!');
      expectObservable(cold('ab').pipe(exhaustMapWithTrailing(() => cold('--#')))).toBe('--#');
      const thrown = (): never => {
        throw 'error' as unknown as Error;
      };
      expectObservable(cold('a-b').pipe(exhaustMapWithTrailing(thrown))).toBe('#');
    }));

  it('leaves source and inner observable with its subscriber, and projects nothing more', () =>
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const [source, inner] = [hot('ab---'), cold('------')];
      expectObservable(source.pipe(exhaustMapWithTrailing(() => inner)), '^--!').toBe('----');
      expectSubscriptions(source.subscriptions).toBe('^--!');
      expectSubscriptions(inner.subscriptions).toBe(['^--!']);
    }));
});
