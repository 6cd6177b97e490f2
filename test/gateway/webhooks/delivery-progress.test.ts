import { deliveryProgress } from '../../../src/server/gateway/webhooks/delivery-progress.js';
import { describe, expect, it } from 'vitest';
import type { WebhookProgress } from '../../../src/server/gateway/ports/webhook-store.js';

/** The progress of alice over a store that notes what it gets, and may take nothing. */
const tracked = (stored: Readonly<Record<string, WebhookProgress>> = {}) => {
  const calls: unknown[][] = [];
  const disk = { isFull: false };
  const write = (...call: readonly unknown[]): Promise<void> => {
    calls.push([...call]);
    return disk.isFull ? Promise.reject(new Error('The disk is full.')) : Promise.resolve();
  };
  const store = {
    progressed: (...args: readonly unknown[]) => write('progressed', ...args),
    forget: (...args: readonly unknown[]) => write('forget', ...args),
  };
  const isKnown = (jobId: string): boolean => jobId !== 'unknown';
  return { calls, disk, progress: deliveryProgress(store, 'alice', isKnown, Object.entries(stored)) };
};

describe('how far the messages of jobs are', () => {
  it('is what the store has, and each advance, by which a failure is over', async () => {
    const { calls, progress } = tracked({ a: { position: 'e-1' } });
    expect([progress.position('a'), progress.position('b'), progress.jobIds()]).toEqual([
      ...['e-1', undefined, ['a']],
    ]);
    await progress.failed('a', 5);
    await progress.advance('a', 'e-2');
    expect(await progress.failed('a', 9)).toBe(9);
    expect(calls).toEqual([
      ['progressed', 'alice', 'a', { position: 'e-1', failingSince: 5 }],
      ['progressed', 'alice', 'a', { position: 'e-2' }],
      ['progressed', 'alice', 'a', { position: 'e-2', failingSince: 9 }],
    ]);
  });

  it('has the first failure of a message, also before any arrived', async () => {
    const { calls, progress } = tracked();
    expect([await progress.failed('a', 5), await progress.failed('a', 6)]).toEqual([5, 5]);
    expect(calls).toEqual([['progressed', 'alice', 'a', { failingSince: 5 }]]);
    expect(progress.position('a')).toBeUndefined();
  });

  it('begins anew for each message that failed, and for no other', async () => {
    const { calls, progress } = tracked({
      ...{ a: { position: 'e-1', failingSince: 5 }, b: { failingSince: 6 }, c: { position: 'e-3' } },
    });
    await progress.renew();
    expect(calls).toEqual([
      ['progressed', 'alice', 'a', { position: 'e-1' }],
      ['progressed', 'alice', 'b', {}],
    ]);
    expect(await progress.failed('a', 7)).toBe(7);
  });

  it('is nothing of a job that is unknown or forgotten', async () => {
    const { calls, progress } = tracked({ a: { position: 'e-1' } });
    await progress.advance('unknown', 'e-9');
    expect([calls, progress.position('unknown')]).toEqual([[], undefined]);
    progress.forget('a');
    progress.forget('a');
    expect([calls, progress.jobIds()]).toEqual([[['forget', 'alice', 'a']], []]);
  });

  it('goes on where the store takes nothing', async () => {
    const { disk, progress } = tracked({ a: { position: 'e-1' } });
    disk.isFull = true;
    await progress.advance('a', 'e-2');
    expect(progress.position('a')).toBe('e-2');
    expect(await progress.failed('a', 5)).toBe(5);
    progress.forget('a');
    expect(progress.jobIds()).toEqual([]);
  });
});
