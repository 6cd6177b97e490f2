import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/http/failure.js';
import { nextTry } from '../../src/http/retry.js';
import { serviceError } from '../../src/protocol/errors/service-error.js';

const get = { repeat: 'always', method: 'GET' } as const;
const upload = { repeat: 'always', method: 'POST' } as const;
const submission = { repeat: 'submission', method: 'POST' } as const;
const interrupt = { repeat: 'never', method: 'POST' } as const;

const unsent: Failure = {
  error: serviceError('Network', { code: 'ECONNREFUSED', sent: false }),
  standing: 'unsent',
};
const reset: Failure = {
  error: serviceError('Network', { code: 'ECONNRESET', sent: true }),
  standing: 'unclear',
};
const failed: Failure = { error: serviceError('ServerError', { status: 500 }), standing: 'unclear' };
const limited = (retryAfterMs?: number): Failure => ({
  error: serviceError('RateLimited', { ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }),
  standing: 'refused',
});

/** How often it is tried again when every try fails alike. */
const repeats = (failure: Failure, endpoint: Parameters<typeof nextTry>[1]): number => {
  let tries = { failed: 0, throttled: 0, missed: 0, refused: 0 };
  for (let count = 0; ; count += 1) {
    const next = nextTry(failure, endpoint, tries, 0.5);
    if (next === undefined) return count;
    tries = { ...tries, [next.kind]: tries[next.kind] + 1 };
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

  it('E16: never repeats what is final', () => {
    const finals = [
      serviceError('Aborted', { sent: false }),
      serviceError('Closed', {}),
      serviceError('Timeout', { timeoutMs: 1, sent: false }),
      serviceError('Network', { code: 'CERT', sent: false, retry: 'never' }),
    ].map((error): Failure => ({ error, standing: 'unsent' }));
    const refusals = [
      serviceError('Unauthorized', {}),
      serviceError('QueueFull', {}),
      serviceError('SubscriptionInactive', { retryAfterMs: 5 }),
      serviceError('BadRequest', { nodeErrors: {} }),
    ].map((error): Failure => ({ error, standing: 'refused' }));
    const decode: Failure = { error: serviceError('Decode', { reason: '' }), standing: 'unclear' };
    for (const failure of [...finals, ...refusals, decode]) expect(repeats(failure, get)).toBe(0);
  });

  it('E8: waits as long as it was asked to, a minute at most, and by jitter where it was not told', () => {
    const wait = (failure: Failure): number | undefined =>
      nextTry(failure, get, { failed: 1, throttled: 1, missed: 1 }, 0.5)?.delayMs;
    expect([limited(0), limited(3000), limited(86_400_000), limited(), reset].map(wait)).toEqual([
      0, 3000, 60_000, 1000, 1000,
    ]);
  });
});
