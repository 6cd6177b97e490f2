import { NEVER, of, take, throwError } from 'rxjs';
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
});
