import { callerUsage } from '../../../src/server/gateway/http/caller-usage.js';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const rate = { requestsPerSecond: 10 };

describe('what callers use', () => {
  it('is twice their rate at once, then as it comes back, and the wait is the time that it takes', async () => {
    const clock = virtualClock();
    const usage = callerUsage(clock);
    const waits = (count: number) => Array.from({ length: count }, () => usage.request('ann', rate));
    expect(waits(20)).toEqual(Array.from({ length: 20 }, () => undefined));
    expect(usage.request('ann', rate)).toBeCloseTo(0.1);
    await clock.advance(40);
    expect(usage.request('ann', rate)).toBeCloseTo(0.06);
    await clock.advance(60);
    expect(waits(2).map((wait) => wait === undefined)).toEqual([true, false]);
    await clock.advance(3_600_000);
    expect(waits(21).filter((wait) => wait !== undefined)).toHaveLength(1);
    // A limit of a caller's own counts at once.
    expect(usage.request('bob', { requestsPerSecond: 0.5 })).toBeUndefined();
    expect(usage.request('bob', { requestsPerSecond: 0.5 })).toBeCloseTo(2);
  });

  it('is what they hold, of streams and uploads apart, and free once it is released', () => {
    const usage = callerUsage(virtualClock());
    const first = usage.take('ann', 'streams', 2)!;
    expect(usage.take('ann', 'streams', 2)).toBeDefined();
    expect(usage.take('ann', 'streams', 2)).toBeUndefined();
    expect(usage.take('ann', 'uploads', 1)).toBeDefined();
    expect(usage.take('ann', 'uploads', 1)).toBeUndefined();
    expect(usage.take('bob', 'streams', 1)).toBeDefined();
    first();
    first();
    expect(usage.take('ann', 'streams', 2)).toBeDefined();
    expect(usage.take('ann', 'streams', 2)).toBeUndefined();
  });

  it('is forgotten of those who use nothing, once there are ten thousand', async () => {
    const clock = virtualClock();
    const usage = callerUsage(clock);
    const spend = (name: string): number => {
      let count = 0;
      while (usage.request(name, rate) === undefined) count += 1;
      return count;
    };
    const release = usage.take('of a stream', 'streams', 1)!;
    usage.take('of an upload', 'uploads', 1);
    for (let at = 0; at < 9_997; at += 1) usage.request(`idle ${at}`, rate);
    await clock.advance(1);
    spend('busy');
    // The limit is reached: nobody has been idle for two seconds.
    await clock.advance(1_999);
    expect(spend('busy')).toBe(19);
    await clock.advance(1);
    spend('one more');
    for (const name of ['of a stream', 'of an upload'])
      expect(usage.take(name, name === 'of a stream' ? 'streams' : 'uploads', 1)).toBeUndefined();
    // One who is forgotten has a whole rate again.
    expect(spend('busy')).toBeLessThan(3);
    expect(spend('idle 1')).toBe(20);
    release();
    expect(usage.take('of a stream', 'streams', 1)).toBeDefined();
  });
});
