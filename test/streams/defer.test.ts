import { describe, expect, it } from 'vitest';
import { defer } from '../../src/streams/defer.js';
import { marbles } from '../helpers/marbles.js';
import { record } from '../helpers/record.js';

describe('defer', () => {
  it('makes a source for each subscription, and leaves it with its subscriber', () => {
    let made = 0;
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a-b|');
      const deferred = defer(() => {
        made += 1;
        return source;
      });
      expectObservable(deferred).toBe('-a-b|');
      expectObservable(deferred, '--^-!').toBe('---a');
      expectSubscriptions(source.subscriptions).toBe(['^---!', '--^-!']);
    });
    expect(made).toBe(2);
  });

  it('errors where making the source throws', () => {
    const failing = defer<never>(() => {
      throw new Error('no source');
    });
    expect(record(failing)).toMatchObject({ end: 'error', error: new Error('no source') });
  });
});
