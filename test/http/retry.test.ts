import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/core/http/failure.js';
import {
  isDoubtful,
  counted,
  nextAttempt,
  noAttempts,
  refusalKind,
  isStrayPage,
  retryOfRefusal,
} from '../../src/core/http/retry.js';
import { serviceError } from '../../src/core/errors/service-error.js';

const get = { idempotency: 'always', method: 'GET' } as const;
const upload = { idempotency: 'always', method: 'POST' } as const;
const submission = { idempotency: 'submission', method: 'POST' } as const;
const interrupt = { idempotency: 'never', method: 'POST' } as const;

const unsent: Failure = {
  error: serviceError('Network', { code: 'ECONNREFUSED', sent: false }),
  delivery: 'unsent',
};
const reset: Failure = {
  error: serviceError('Network', { code: 'ECONNRESET', sent: true }),
  delivery: 'unclear',
};
const failed: Failure = { error: serviceError('ServerError', { status: 500 }), delivery: 'unclear' };
const limited = (retryAfterMs?: number): Failure => ({
  error: serviceError('RateLimited', { ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }),
  delivery: 'refused',
});

/** How often it is tried again when every try fails alike. */
const repeats = (failure: Failure, endpoint: Parameters<typeof nextAttempt>[1]): number => {
  let tries = noAttempts;
  for (let count = 0; ; count += 1) {
    const next = nextAttempt(failure, endpoint, tries, 0.5);
    if (next === undefined) return count;
    tries = counted(tries, next);
  }
};

describe('nextTry', () => {
  it.each([
    ['nothing left', unsent, [3, 3, 3, 0]],
    ['reset', reset, [3, 2, 0, 0]],
    ['500', failed, [3, 2, 0, 0]],
    ['back-pressure', limited(1000), [2, 2, 2, 0]],
  ])('%s: get, upload, submission, interrupt', (_, failure, counts) => {
    expect([get, upload, submission, interrupt].map((endpoint) => repeats(failure, endpoint))).toEqual(
      counts,
    );
  });

  it('takes the method for no leave to submit twice', () => {
    const byGet = { idempotency: 'submission', method: 'GET' } as const;
    expect([reset, failed].map((failure) => repeats(failure, byGet))).toEqual([0, 0]);
  });

  it('E16: never repeats what is final', () => {
    const finals = [
      serviceError('Aborted', { sent: false }),
      serviceError('Closed', {}),
      serviceError('Timeout', { timeoutMs: 1, sent: false }),
      serviceError('Network', { code: 'CERT', sent: false, retry: 'never' }),
    ].map((error): Failure => ({ error, delivery: 'unsent' }));
    const refusals = [
      serviceError('Unauthorized', {}),
      serviceError('QueueFull', {}),
      serviceError('SubscriptionInactive', { retryAfterMs: 5 }),
      serviceError('BadRequest', { nodeErrors: {} }),
    ].map((error): Failure => ({ error, delivery: 'refused' }));
    const decode: Failure = { error: serviceError('Decode', { reason: '' }), delivery: 'unclear' };
    for (const failure of [...finals, ...refusals, decode]) expect(repeats(failure, get)).toBe(0);
  });

  it('E8: waits as long as it was asked to, a minute at most, and by jitter where it was not told', () => {
    const wait = (failure: Failure): number | undefined =>
      nextAttempt(failure, get, { ...noAttempts, failed: 1, throttled: 1, missed: 1 }, 0.5)?.delayMs;
    expect([limited(0), limited(3000), limited(86_400_000), limited(), reset].map(wait)).toEqual([
      0, 3000, 60_000, 1000, 1000,
    ]);
  });

  const missing: Failure = { error: serviceError('NotFound', { status: 404 }), delivery: 'refused' };
  const view = { ...get, mayAppearLate: true };

  it('asks three times more for what may trail, after 0.5, 1 and 2 s, each ±25 %', () => {
    const waits = (random: number): readonly (number | undefined)[] =>
      [0, 1, 2].map((missed) => nextAttempt(missing, view, { ...noAttempts, missed }, random)?.delayMs);
    expect([waits(0), waits(0.5), waits(0.9999)]).toEqual([
      [375, 750, 1500],
      [500, 1000, 2000],
      [624, 1249, 2499],
    ]);
    expect([repeats(missing, view), repeats(missing, get)]).toEqual([3, 0]);
  });

  it('takes only a clear 404 for what trails', () => {
    const gone: Failure = { error: serviceError('NotFound', { status: 410 }), delivery: 'refused' };
    expect([repeats(gone, view), repeats({ ...missing, delivery: 'unclear' }, view)]).toEqual([0, 0]);
  });

  it('repeats a failing service and an unexpected status like a failing network, and a 503 with a hint like back-pressure', () => {
    const odd: Failure = { error: serviceError('UnexpectedStatus', { status: 302 }), delivery: 'unclear' };
    const busy: Failure = { error: serviceError('ServerError', { retryAfterMs: 5 }), delivery: 'refused' };
    expect([odd, busy].map((failure) => repeats(failure, get))).toEqual([3, 2]);
    expect(nextAttempt(busy, get, noAttempts, 0.5)).toEqual({
      kind: 'throttled',
      delayMs: 5,
    });
  });
});

describe('tryRefusedAgain', () => {
  it.each(['refused', 'stray'] as const)('counts as %s', (kind) => {
    expect(retryOfRefusal({ refused: 1, stray: 0 }, kind, 0)?.kind).toBe(kind);
  });

  it('E22: meets two stray pages beside a refusal, and no third', () => {
    const after = (stray: number) => retryOfRefusal({ refused: 1, stray }, 'stray', 0.5)?.delayMs;
    expect([after(0), after(1), after(2)]).toEqual([3000, 3000, undefined]);
  });

  it('waits 1 s after the first refusal and 3 s after the second, each ±20 %', () => {
    const waits = (random: number): readonly number[] =>
      [0, 1].map((refused) =>
        Math.round(retryOfRefusal({ refused, stray: 0 }, 'refused', random)?.delayMs ?? 0),
      );
    expect([waits(0), waits(0.5), waits(1)]).toEqual([
      [800, 2400],
      [1000, 3000],
      [1200, 3600],
    ]);
  });

  it('repeats a refusal, and no third stray page, after two of those', () => {
    const tries = { refused: 1, stray: 2 };
    expect(retryOfRefusal(tries, 'refused', 0.5)).toEqual({ kind: 'refused', delayMs: 3000 });
    expect(retryOfRefusal(tries, 'stray', 0.5)).toBeUndefined();
  });
});

describe('refusalKind', () => {
  it.each([
    ['Unauthorized', 'auth'],
    ['Forbidden', 'auth'],
    ['InsufficientCredits', 'billing'],
    ['SubscriptionInactive', 'billing'],
    ['RateLimited', undefined],
    ['NotFound', undefined],
  ] as const)('of %s is %s', (_tag, kind) => {
    expect(refusalKind({ _tag })).toBe(kind);
  });
});

describe('isDoubtful', () => {
  const always = { idempotency: 'always' } as const;
  const submission = { idempotency: 'submission' } as const;
  const never = { idempotency: 'never' } as const;
  const plan = serviceError('SubscriptionInactive', {});
  const wordedPlan = serviceError('SubscriptionInactive', { errorType: 'X' });
  const key = serviceError('Unauthorized', {});
  const wordedKey = serviceError('Forbidden', { errorType: 'X' });
  const credits = serviceError('InsufficientCredits', {});

  it.each([
    ['E22: a 429 without a word', plan, always, false, true],
    ['E22: a 429 without a word, of a submission', plan, submission, false, true],
    ['a 429 with a word', wordedPlan, always, true, false],
    ['a 429 of a call that is never repeated', plan, never, false, false],
    ['E22: a read without a word', key, always, false, true],
    ['E27: a submission without a word', key, submission, true, false],
    ['a read with a word', wordedKey, always, false, false],
    ['E22: a read with a word, where the key was accepted', wordedKey, always, true, true],
    ['a call that is never repeated', key, never, true, false],
    ['an empty account', credits, always, true, false],
  ])('%s', (_, error, call, isKeyAccepted, expected) => {
    expect(isDoubtful(error, call, isKeyAccepted)).toBe(expected);
  });
});

describe('saysNothing', () => {
  const more = { nodeErrors: {}, reason: 'x', code: 'x', sent: true };

  it.each([
    ['BadRequest', true],
    ['UnexpectedStatus', true],
    ['ProtocolChanged', true],
    ['Decode', true],
    ['TooLarge', true],
    ['NotFound', false],
    ['Network', false],
    ['Unauthorized', false],
  ] as const)('E22: of %s is %s, and false with a word of the service', (tag, expected) => {
    expect(isStrayPage(serviceError(tag, more))).toBe(expected);
    expect(isStrayPage(serviceError(tag, { ...more, errorType: 'X' }))).toBe(false);
  });
});
