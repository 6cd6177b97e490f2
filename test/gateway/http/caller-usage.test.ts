import { callerUsage, type CallerUsage } from '../../../src/server/gateway/http/caller-usage.js';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const rate = { requestsPerSecond: 10 };
const none = { streams: Infinity, uploads: Infinity };

/** Takes a place, which is there. */
const taken = (...[usage, ...args]: [CallerUsage, ...Parameters<CallerUsage['take']>]): (() => void) => {
  const release = usage.take(...args);
  if (typeof release === 'string') throw new Error(release);
  return release;
};

describe('what callers use', () => {
  it('is twice their rate at once, then as it comes back, and the wait is the time that it takes', async () => {
    const clock = virtualClock();
    const usage = callerUsage(clock, none);
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
    const usage = callerUsage(virtualClock(), none);
    const first = taken(usage, 'ann', 'streams', 2);
    taken(usage, 'ann', 'streams', 2);
    expect(usage.take('ann', 'streams', 2)).toBe('caller');
    taken(usage, 'ann', 'uploads', 1);
    expect(usage.take('ann', 'uploads', 1)).toBe('caller');
    taken(usage, 'bob', 'streams', 1);
    first();
    first();
    taken(usage, 'ann', 'streams', 2);
    expect(usage.take('ann', 'streams', 2)).toBe('caller');
  });

  it('T4 is bounded for all callers together, who are told so', () => {
    const usage = callerUsage(virtualClock(), { streams: 2, uploads: 1 });
    const first = taken(usage, 'ann', 'streams', 2);
    taken(usage, 'bob', 'streams', 2);
    expect([usage.take('eve', 'streams', 2), usage.take('bob', 'streams', 1)]).toEqual(['all', 'caller']);
    first();
    first();
    taken(usage, 'eve', 'streams', 2);
    expect(usage.take('ann', 'streams', 2)).toBe('all');
    taken(usage, 'ann', 'uploads', 2);
    expect(usage.take('bob', 'uploads', 2)).toBe('all');
  });

  it('T4 is one request at a time of a rate below one in two seconds', async () => {
    const clock = virtualClock();
    const usage = callerUsage(clock, none);
    const slow = { requestsPerSecond: 0.1 };
    expect([usage.request('ann', slow), usage.request('ann', slow)]).toEqual([undefined, 10]);
    await clock.advance(9_999);
    expect(usage.request('ann', slow)).toBeCloseTo(0.001);
    await clock.advance(1);
    expect([usage.request('ann', slow), usage.request('ann', slow)]).toEqual([undefined, 10]);
  });

  it('is forgotten of those who use nothing, once there are ten thousand', async () => {
    const clock = virtualClock();
    const usage = callerUsage(clock, none);
    const spend = (name: string): number => {
      let count = 0;
      while (usage.request(name, rate) === undefined) count += 1;
      return count;
    };
    const release = taken(usage, 'of a stream', 'streams', 1);
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
      expect(usage.take(name, name === 'of a stream' ? 'streams' : 'uploads', 1)).toBe('caller');
    // One who is forgotten has a whole rate again.
    expect(spend('busy')).toBeLessThan(3);
    expect(spend('idle 1')).toBe(20);
    release();
    taken(usage, 'of a stream', 'streams', 1);
  });
});
