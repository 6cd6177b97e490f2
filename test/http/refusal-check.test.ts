import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import { type Attempts, noAttempts } from '../../src/core/http/retry.js';
import { circuitBreaker } from '../../src/core/http/circuit-breaker.js';
import { get, submit } from '../helpers/play-call.js';
import { RefusalCheck } from '../../src/core/http/refusal-check.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const unauthorized = serviceError('Unauthorized', { status: 401 });
const forbidden = serviceError('Forbidden', { status: 403 });
const worded = serviceError('Unauthorized', { status: 401, errorType: 'UNAUTHORIZED' });
const page = serviceError('Decode', { status: 200, reason: 'a page' });

const made = () => {
  const clock = virtualClock();
  const refused = E.left(unauthorized);
  const breaker = circuitBreaker({
    clock,
    probe: () => Promise.resolve(refused),
    checkKey: () => Promise.resolve(refused),
    isKeyAccepted: () => false,
    ended: () => undefined,
  });
  const call = (endpoint = get) => {
    const check = new RefusalCheck(breaker, endpoint, (confirmed) => confirmed);
    const judge = (error: ServiceError, attempts: Partial<Attempts> = {}) =>
      check.judge(breaker.attempt(endpoint), error, {
        ...noAttempts,
        ...attempts,
      });
    return {
      judge,
      othersOver: () => check.othersOver(),
      isConfirming: () => check.isConfirming(),
      asksAgain: () => check.asksAgain(),
      end: () => check.end(),
    };
  };
  return { clock, breaker, call, stop: () => breaker.refusal(get) };
};

describe('a check of a refusal', () => {
  it('E22: has a read met twice more by its refusal before the breaker takes it in', async () => {
    const { call, stop } = made();
    const { judge, isConfirming } = call();
    for (const refused of [0, 1]) expect(await judge(unauthorized, { refused })).toBe('refused');
    expect(stop()).toBeUndefined();
    expect(await judge(unauthorized, { refused: 2 })).toBeUndefined();
    expect(isConfirming()).toBe(true);
    expect(stop()).toMatchObject({ _tag: 'Unauthorized' });
  });

  it('E22: counts anew where the refusal is of another kind, up to three', async () => {
    const { call, stop } = made();
    const { judge } = call();
    for (const [refused, error] of [unauthorized, forbidden, unauthorized, forbidden].entries())
      expect(await judge(error, { refused })).toBe('refused');
    expect(await judge(unauthorized, { refused: 4 })).toBeUndefined();
    expect(stop()).toMatchObject({ _tag: 'Unauthorized' });
  });

  it('E23: has the other calls wait while it asks, each time for 15 s, until it ends', async () => {
    const { clock, call } = made();
    const [own, other] = [call(), call()];
    own.end();
    own.asksAgain();
    expect([own.isConfirming(), own.othersOver()]).toEqual([false, undefined]);
    await own.judge(unauthorized);
    await own.judge(unauthorized, { refused: 1 });
    expect([own.isConfirming(), own.othersOver()]).toEqual([true, undefined]);
    expect(await other.judge(unauthorized)).toBe('refused');
    expect(other.isConfirming()).toBe(false);
    await clock.advance(14_000);
    own.asksAgain();
    await clock.advance(14_000);
    let isOver = false;
    void other.othersOver()?.then(() => (isOver = true));
    await clock.advance(0);
    expect(isOver).toBe(false);
    own.end();
    await clock.advance(0);
    expect([isOver, other.othersOver()]).toEqual([true, undefined]);
  });

  it('E23: has the other calls wait as well where a read is believed at once, and not for a submission', async () => {
    for (const [endpoint, isConfirming] of [
      [get, true],
      [submit, false],
    ] as const) {
      const { judge, ...check } = made().call(endpoint);
      expect(await judge(worded)).toBeUndefined();
      expect(check.isConfirming()).toBe(isConfirming);
    }
  });

  it.each([
    ['a read', 'is sent again', get, 'outdated'],
    ['a submission', 'ends', submit, undefined],
  ] as const)('%s %s where the key was changed meanwhile', async (_, __, endpoint, expected) => {
    const { breaker, call } = made();
    const attempt = breaker.attempt(endpoint);
    breaker.reset();
    const attempts = { ...noAttempts, refused: 1 };
    expect(
      await new RefusalCheck(breaker, endpoint, () => Promise.resolve()).judge(attempt, worded, attempts),
    ).toBe(expected);
    expect(await call(endpoint).judge(page, { refused: 0 })).toBeUndefined();
  });

  it('E22: retries a stray page after a refusal of a read, and of nothing else', async () => {
    const { call } = made();
    expect(await call().judge(page, { refused: 1 })).toBe('stray');
    expect(await call().judge(page)).toBeUndefined();
    expect(await call(submit).judge(page, { refused: 1 })).toBeUndefined();
    expect(await call().judge(serviceError('NotFound', {}), { refused: 1 })).toBeUndefined();
  });

  it.each([
    ['the last one, after a refusal of the key', true, unauthorized, 2, false],
    ['one before the last', false, unauthorized, 1, false],
    ['one after another refusal', false, forbidden, 2, false],
    ['one of a call that does not confirm', false, unauthorized, 2, true],
  ] as const)(
    'of several stray pages %s has the key checked: %s',
    async (_, isChecked, error, stray, isOther) => {
      const { call, stop } = made();
      const [own, other] = [call(), call()];
      if (isOther) await other.judge(unauthorized);
      expect(await own.judge(error)).toBe('refused');
      expect(await own.judge(page, { refused: 1, stray })).toBe('stray');
      expect(stop() !== undefined).toBe(isChecked);
      if (error === forbidden) expect(await call().judge(error)).toBe('refused');
    },
  );
});
