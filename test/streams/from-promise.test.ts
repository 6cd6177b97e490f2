import { describe, expect, it } from 'vitest';
import { fromPromise } from '../../src/streams/from-promise.js';
import { record } from '../helpers/record.js';

describe('fromPromise', () => {
  it('asks at each subscription, emits the answer and completes', async () => {
    let asked = 0;
    const answers = fromPromise(() => Promise.resolve((asked += 1)));
    expect(asked).toBe(0);
    const [first, second] = [record(answers), record(answers)];
    await Promise.resolve();
    expect([first, second]).toMatchObject([
      { values: [1], end: 'complete' },
      { values: [2], end: 'complete' },
    ]);
  });

  it('errors as the promise does, or asking for it', async () => {
    const rejected = record(fromPromise(() => Promise.reject(new Error('rejected'))));
    const thrown = record(
      fromPromise(() => {
        throw new Error('thrown');
      }),
    );
    await Promise.resolve();
    expect([rejected.error, thrown.error]).toEqual([new Error('rejected'), new Error('thrown')]);
  });

  it('tells nothing to whoever has left', async () => {
    const told = record(fromPromise(() => Promise.resolve('late')));
    told.subscription.unsubscribe();
    await Promise.resolve();
    expect(told).toMatchObject({ values: [], end: 'none' });
  });
});
