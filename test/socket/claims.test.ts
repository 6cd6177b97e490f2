import { describe, expect, it } from 'vitest';
import { claims } from '../../src/socket/claims.js';
import { virtualClock } from '../helpers/virtual-clock.js';

describe('claims', () => {
  it('keeps nothing while nobody expects anything', () => {
    const kept = claims(virtualClock());
    kept.keep('early');
    expect(kept.kept()).toEqual([]);
  });

  it('keeps in order until the last expectation ends', () => {
    const clock = virtualClock();
    const kept = claims(clock);
    const endFirst = kept.begin();
    kept.keep('a');
    const endSecond = kept.begin();
    kept.keep('b');
    endFirst();
    endFirst();
    expect(kept.kept()).toEqual(['a', 'b']);
    endSecond();
    expect(kept.kept()).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('holds 1,000 messages at most and drops the oldest', () => {
    const kept = claims(virtualClock());
    kept.begin();
    for (let n = 0; n < 1_200; n += 1) kept.keep(String(n));
    expect(kept.kept()).toHaveLength(1_000);
    expect(kept.kept()[0]).toBe('200');
    expect(kept.kept().at(-1)).toBe('1199');
  });

  it('holds 32 MiB at most', () => {
    const kept = claims(virtualClock());
    kept.begin();
    for (let n = 0; n < 5; n += 1) kept.keep(new ArrayBuffer(8 * 1024 * 1024));
    expect(kept.kept()).toHaveLength(4);
  });

  it('forgets what is older than 30 s', async () => {
    const clock = virtualClock();
    const kept = claims(clock);
    kept.begin();
    kept.keep('old');
    await clock.advance(20_000);
    kept.keep('young');
    await clock.advance(10_000);
    expect(kept.kept()).toEqual(['young']);
    await clock.advance(30_000);
    expect(kept.kept()).toEqual([]);
  });
});
