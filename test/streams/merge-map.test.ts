import fc from 'fast-check';
import * as rxjs from 'rxjs';
import { describe, expect, it } from 'vitest';
import { mergeMap } from '../../src/streams/merge-map.js';
import { marbles } from '../helpers/marbles.js';
import { record } from '../helpers/record.js';

/** A stream as a drawing: letters, pauses, and an end or none. */
const drawings = fc
  .tuple(fc.array(fc.constantFrom('-', '-', 'a', 'b', 'c'), { maxLength: 12 }), fc.constantFrom('', '|', '#'))
  .map(([marks, end]) => marks.join('') + end || '-');

type MergeMap = typeof mergeMap;

const ofRxjs: MergeMap = (project, limit) => rxjs.mergeMap((value, index) => project(value, index), limit);

/** What comes out, and when each stream is subscribed to and left. */
const told = (
  merging: MergeMap,
  source: string,
  inners: Readonly<Record<string, string>>,
  limit: number,
  leave: number,
): string => {
  const log: string[] = [];
  marbles(({ cold, hot }) => {
    const scheduler = rxjs.asyncScheduler;
    const all = hot(source);
    const made: ReturnType<typeof cold>[] = [];
    const subscription = all
      .pipe(
        rxjs.finalize(() => log.push(`${scheduler.now()} leaves the source`)),
        merging((name, index) => {
          log.push(`${scheduler.now()} begins ${name} ${index}`);
          const inner = cold(inners[name] ?? '|');
          made.push(inner);
          return inner.pipe(rxjs.finalize(() => log.push(`${scheduler.now()} leaves ${name} ${index}`)));
        }, limit),
        rxjs.finalize(() => log.push(`${scheduler.now()} leaves all`)),
      )
      .subscribe({
        next: (value) => log.push(`${scheduler.now()} tells ${value}`),
        error: (error: unknown) => log.push(`${scheduler.now()} errors ${String(error)}`),
        complete: () => log.push(`${scheduler.now()} completes`),
      });
    scheduler.schedule(() => subscription.unsubscribe(), leave);
    scheduler.schedule(() => {
      for (const { subscriptions } of [all, ...made]) log.push(JSON.stringify(subscriptions));
    }, 100);
  });
  return log.join('\n');
};

describe('mergeMap', () => {
  it('runs at most so many streams at once, and completes with the last', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source = hot('ab-a|');
      const inners = { a: cold('---x|'), b: cold('-y----|') };
      const merged = source.pipe(mergeMap((name) => inners[name as 'a' | 'b'], 2));
      expectObservable(merged).toBe('--yx---x|');
      expectSubscriptions(source.subscriptions).toBe('^---!');
      expectSubscriptions(inners.a.subscriptions).toBe(['^---!', '----^---!']);
      expectSubscriptions(inners.b.subscriptions).toBe('-^-----!');
    });
  });

  it('is as that of rxjs: law, for all streams, limits and times of leaving', () => {
    const inners = fc.record({ a: drawings, b: drawings, c: drawings });
    const limits = fc.constantFrom(1, 2, Infinity);
    fc.assert(
      fc.property(drawings, inners, limits, fc.nat(30), (source, each, limit, leave) => {
        expect(told(mergeMap, source, each, limit, leave)).toBe(told(ofRxjs, source, each, limit, leave));
      }),
    );
  });

  it('is as that of rxjs where streams emit and end at once and their subscriber leaves: law', () => {
    interface Sudden {
      readonly values: number;
      readonly ends: boolean;
    }
    const toldOf = (merging: MergeMap, streams: readonly Sudden[], limit: number, most: number): string[] => {
      const log: string[] = [];
      const begin = ({ values, ends }: Sudden, n: number): rxjs.Observable<string> =>
        new rxjs.Observable((subscriber) => {
          log.push(`begins ${n}`);
          for (let value = 0; value < values; value += 1) subscriber.next(`${n}.${value}`);
          if (ends) subscriber.complete();
          return () => log.push(`leaves ${n}`);
        });
      rxjs
        .from(streams)
        .pipe(merging(begin, limit), rxjs.take(most))
        .subscribe({ next: (value) => log.push(value), complete: () => log.push('completes') });
      return log;
    };
    const sudden = fc.record({ values: fc.nat(2), ends: fc.boolean() });
    const limits = fc.constantFrom(1, 2, Infinity);
    fc.assert(
      fc.property(fc.array(sudden, { maxLength: 6 }), limits, fc.integer({ min: 1, max: 6 }), (...drawn) => {
        expect(toldOf(mergeMap, ...drawn)).toStrictEqual(toldOf(ofRxjs, ...drawn));
      }),
    );
  });

  it('errors where making a stream throws', () => {
    const failing = mergeMap<number, number>(() => {
      throw new Error('no stream');
    });
    expect(record(rxjs.of(1).pipe(failing))).toMatchObject({ end: 'error', error: new Error('no stream') });
  });

  it('lets thousands that end at once follow one that does not', () => {
    const first = new rxjs.Subject<number>();
    const all = rxjs.range(0, 10_000).pipe(mergeMap((n) => (n === 0 ? first : rxjs.of(n)), 1));
    const told = record(all);
    first.complete();
    expect(told.end).toBe('complete');
    expect(told.values).toHaveLength(9_999);
  });

  it('begins no stream for whoever has left while another one began', () => {
    const first = new rxjs.Subject<number>();
    const begun: number[] = [];
    const stream = (n: number): rxjs.Observable<number> => {
      begun.push(n);
      return n < 2 ? first : rxjs.concat(rxjs.of(n), rxjs.NEVER);
    };
    record(rxjs.of(0, 1, 2, 3, 4).pipe(mergeMap(stream, 2), rxjs.take(1)));
    first.complete();
    expect(begun).toStrictEqual([0, 1, 2]);
  });

  it('lets a stream see at once that nobody takes its values any more', () => {
    const seen: boolean[] = [];
    const stream = new rxjs.Observable<string>((subscriber) => {
      subscriber.next('first');
      seen.push(subscriber.closed);
    });
    record(
      rxjs.of(1, 2).pipe(
        mergeMap(() => stream),
        rxjs.take(1),
      ),
    );
    expect(seen).toStrictEqual([true]);
  });
});
