import { NEVER, Observable, of, take, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { whenLeft } from '../../src/streams/when-left.js';
import { marbles } from '../helpers/marbles.js';
import { record } from '../helpers/record.js';

describe('whenLeft', () => {
  it('passes everything on, and leaves its source with its subscriber', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a-b-#');
      const passed = source.pipe(whenLeft(() => undefined));
      expectObservable(passed).toBe('-a-b-#');
      expectObservable(passed, '^-!').toBe('-a');
      expectSubscriptions(source.subscriptions).toBe(['^----!', '^-!']);
    });
  });

  it('calls where it was left, and not at an end', () => {
    const told: string[] = [];
    const leaving = whenLeft<string>(() => told.push('left'));
    record(of('a').pipe(leaving));
    record(throwError(() => new Error('no')).pipe(leaving));
    expect(told).toStrictEqual([]);
    record(NEVER.pipe(leaving)).subscription.unsubscribe();
    expect(told).toStrictEqual(['left']);
    record(of('a', 'b').pipe(leaving, take(1)));
    expect(told).toStrictEqual(['left', 'left']);
  });

  it('calls once its source is left, also where it was left while that began', () => {
    const story = (leaves: 'at once' | 'later'): readonly string[] => {
      const told: string[] = [];
      const source = new Observable<string>((subscriber) => {
        told.push('begins');
        subscriber.next('a');
        told.push('has begun');
        return () => told.push('ends');
      });
      const left = source.pipe(
        whenLeft(() => told.push('left')),
        take(leaves === 'at once' ? 1 : 2),
      );
      record(left).subscription.unsubscribe();
      return told;
    };
    expect(story('at once')).toStrictEqual(['begins', 'has begun', 'ends', 'left']);
    expect(story('later')).toStrictEqual(story('at once'));
  });
});
