import { describe, expect, it } from 'vitest';
import { again } from '../../src/socket/again.js';
import { marbles } from '../helpers/marbles.js';

describe('again', () => {
  it('subscribes anew once what it waits for has emitted, as often as need be', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a-#');
      const wait = cold('  --g---|');
      expectObservable(source.pipe(again(() => wait)), '------------!').toBe('-a----a----a-');
      expectSubscriptions(source.subscriptions).toBe(['^--!', '-----^--!', '----------^-!']);
      expectSubscriptions(wait.subscriptions).toBe(['---^-!', '--------^-!']);
    });
  });

  it('errors as what it waits for does, and ends its wait with its subscriber', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-#');
      expectObservable(source.pipe(again(() => cold('#', undefined, 'worse')))).toBe(
        '-#',
        undefined,
        'worse',
      );
      const wait = cold('  ---g');
      expectObservable(source.pipe(again(() => wait)), '--!').toBe('---');
      expectSubscriptions(wait.subscriptions).toBe('-^!');
    });
  });

  it('tells what went wrong, and waits for ever for what completes without a value', () => {
    const told: unknown[] = [];
    marbles(({ cold, expectObservable }) => {
      const wait = (error: unknown) => {
        told.push(error);
        return cold<unknown>('-|');
      };
      expectObservable(cold<never>('-#', undefined, 'why').pipe(again(wait))).toBe('---');
    });
    expect(told).toStrictEqual(['why']);
  });
});
