import { describe, expect, it } from 'vitest';
import { type TokenAnswer, createTokens } from '../../src/page/remote/tokens.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

/** A callback that gives `t1`, `t2`, …, and how often it was asked. */
const counted = (of: (token: string) => TokenAnswer = (token) => token) => {
  let asked = 0;
  return { source: () => of(`t${(asked += 1)}`), asked: () => asked };
};

describe('the token of a remote', () => {
  it('that is a text, or none, is what it is, and there is no other one', async () => {
    const clock = virtualClock();
    expect([await createTokens('a', clock).get(), createTokens('a', clock).drop('a')]).toEqual(['a', false]);
    expect([
      await createTokens(undefined, clock).get(),
      createTokens(undefined, clock).drop(undefined),
    ]).toEqual([...[undefined, false]]);
  });

  it('is asked for once by all who want it, and again after it was refused', async () => {
    const { source, asked } = counted();
    const tokens = createTokens(source, virtualClock());
    expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(['t1', 't1']);
    expect(tokens.drop('t1')).toBe(true);
    expect([await tokens.get(), asked()]).toEqual(['t2', 2]);
  });

  it('stays where an old one is refused late, as another request has got the new one', async () => {
    const { source, asked } = counted();
    const tokens = createTokens(source, virtualClock());
    const old = await tokens.get();
    tokens.drop(old);
    expect(await tokens.get()).toBe('t2');
    expect(tokens.drop(old)).toBe(true);
    expect([await tokens.get(), asked()]).toEqual(['t2', 2]);
  });

  it('is asked for again 30 seconds before its end, and never where it has none', async () => {
    const clock = virtualClock();
    const { source } = counted((token) => ({ token, ...(token === 't1' && { expiresAt: endsAt }) }));
    const endsAt = clock.wall() + 100_000;
    const tokens = createTokens(source, clock);
    expect(await tokens.get()).toBe('t1');
    await clock.advance(70_000);
    expect(await tokens.get()).toBe('t1');
    await clock.advance(1);
    expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(['t2', 't2']);
    await clock.advance(10 * 100_000);
    expect(await tokens.get()).toBe('t2');
  });

  it('whose callback fails is a Network error that says so, and is asked for again', async () => {
    const cause = new Error('offline');
    let isOffline = true;
    const tokens = createTokens(() => (isOffline ? Promise.reject(cause) : 'a'), virtualClock());
    await expect(tokens.get()).rejects.toMatchObject({
      ...{ _tag: 'Network', code: 'TOKEN', sent: false, cause, message: 'The callback `token` failed.' },
      hint: '`cause` is what it threw; it is asked again.',
    });
    isOffline = false;
    expect(await tokens.get()).toBe('a');
  });
});
