import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/client/dialects/dialects.js';
import { mergeMap } from 'rxjs';
import { rateLimiter } from '../../src/client/jobs/rate-limiter.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const asked = (count: number, options?: Parameters<typeof rateLimiter>[1]) => {
  const clock = virtualClock();
  const budget = rateLimiter(clock, options);
  const given: { readonly turn: number; readonly at: number }[] = [];
  const subscriptions = Array.from({ length: count }, (_, turn) =>
    budget.permitsFor('status').subscribe(() => given.push({ turn, at: clock.now() })),
  );
  return { clock, budget, given, subscriptions };
};

describe('rateLimiter', () => {
  it('gives ten turns at once and five a second from then on, in the order of asking', async () => {
    const { clock, given } = asked(100);
    expect(given).toHaveLength(10);
    await clock.advance(1_000);
    expect(given).toHaveLength(15);
    await clock.advance(17_000);
    expect(given.map(({ turn }) => turn)).toEqual(Array.from({ length: 100 }, (_, turn) => turn));
    expect(clock.pending()).toBe(0);
  });

  it('M14 lets no job of a local server wait that ends 10 ms after the one before', async () => {
    const { clock, budget } = asked(0, dialects.local.limits.requestBudget);
    const waited: number[] = [];
    for (let job = 0; job < 1_000; job += 1) {
      const endedAt = clock.now();
      budget.permitsFor('record').subscribe(() => waited.push(clock.now() - endedAt));
      await clock.advance(10);
    }
    expect(waited).toEqual(Array.from({ length: 1_000 }, () => 0));
  });

  it('F13: never gives more than burst and rate allow, in any second', async () => {
    const { clock, given } = asked(60, { perSecond: 3, burst: 4 });
    await clock.advance(20_000);
    for (const { at } of given) {
      const second = given.filter((other) => other.at >= at && other.at < at + 1_000);
      expect(second.length).toBeLessThanOrEqual(4 + 3);
    }
    expect(given).toHaveLength(60);
  });

  it('saves up no more than a burst', async () => {
    const { clock, budget, given } = asked(10);
    await clock.advance(3_600_000);
    let more = 0;
    for (let turn = 0; turn < 30; turn += 1) budget.permitsFor('status').subscribe(() => (more += 1));
    expect(given).toHaveLength(10);
    expect(more).toBe(10);
  });

  it('passes on the turn of who has left, and leaves no timer when all have', async () => {
    const { clock, given, subscriptions } = asked(13);
    subscriptions[10]!.unsubscribe();
    await clock.advance(400);
    expect(given.map(({ turn }) => turn).slice(10)).toEqual([11, 12]);
    const others = asked(12);
    others.subscriptions.forEach((subscription) => subscription.unsubscribe());
    expect(others.clock.pending()).toBe(0);
  });

  it('serves who asks from within a turn', () => {
    const budget = rateLimiter(virtualClock(), { burst: 3 });
    let turns = 0;
    budget
      .permitsFor('status')
      .pipe(mergeMap(() => budget.permitsFor('status')))
      .subscribe(() => (turns += 1));
    expect(turns).toBe(1);
  });
});
