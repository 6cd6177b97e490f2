import { describe, expect, it } from 'vitest';
import { firstValueFrom, throwError } from 'rxjs';
import { tryOnce, type WebhookRequest } from '../../../src/server/gateway/webhooks/webhook-sender.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const request = { url: 'https://target.example/?token=secret', headers: {}, body: '{}', anyAddress: false };

/** One try of a message; `send` is what the sender does with it. */
const tried = (
  send: (request: WebhookRequest) => unknown,
  stopped: AbortSignal = new AbortController().signal,
) => {
  const clock = virtualClock();
  const seen: WebhookRequest[] = [];
  const result = tryOnce(request, {
    ...{ clock, timeoutMs: 1_000, stopped },
    sender: {
      send: (asked) => {
        seen.push(asked);
        return Promise.resolve(send(asked)) as Promise<number>;
      },
    },
  });
  return { clock, seen, result };
};
const failing = (cause: unknown) => tried(() => throwing(cause)).result;
/** Rejects as programs in JavaScript may: with anything. */
const throwing = (cause: unknown): Promise<never> => firstValueFrom(throwError(() => cause));
const withCode = (code: unknown): Error => Object.assign(new Error(`at ${request.url}`), { code });

describe('one try of a message', () => {
  it.each([
    [200, { _tag: 'delivered' }],
    [299, { _tag: 'delivered' }],
    [199, { _tag: 'failed', reason: 'it answered 199' }],
    [300, { _tag: 'failed', reason: 'it answered 300, and no redirect is followed' }],
    [399, { _tag: 'failed', reason: 'it answered 399, and no redirect is followed' }],
    [400, { _tag: 'failed', reason: 'it answered 400' }],
    [410, { _tag: 'gone', reason: 'it answered 410: it is gone' }],
    [500, { _tag: 'failed', reason: 'it answered 500' }],
  ])('that is answered by %i is %j', async (status, expected) => {
    for (const answer of [status, { status }])
      expect(await tried(() => answer).result).toEqual(
        expected._tag === 'failed' ? { ...expected, retryAfterMs: undefined } : expected,
      );
  });

  it('tells how long the target asks to wait', async () => {
    expect(await tried(() => ({ status: 503, retryAfter: '7' })).result).toEqual({
      ...{ _tag: 'failed', reason: 'it answered 503', retryAfterMs: 7_000 },
    });
  });

  it('passes on the request as it is, and ends it with the try', async () => {
    const { seen, result } = tried(() => 200);
    expect(seen[0]).toMatchObject(request);
    await result;
    expect(seen[0]?.signal.aborted).toBe(true);
  });

  it.each([
    ['its code', withCode('ECONNREFUSED'), 'it could not be reached (ECONNREFUSED)'],
    ['no code', new Error(`at ${request.url}`), 'it could not be reached (unknown)'],
    ['a code that holds the address', withCode(request.url), 'it could not be reached (unknown)'],
    ['no error', request.url, 'it could not be reached (unknown)'],
    ['nothing', undefined, 'it could not be reached (unknown)'],
    ['an object', { code: 'ECONNREFUSED' }, 'it could not be reached (unknown)'],
    ['another address', withCode('EADDRCLASS'), 'its name leads to an address that is not public'],
  ])('that rejects says of it %s, and never the address', async (_, cause, reason) => {
    expect(await failing(cause)).toEqual({ _tag: 'failed', reason });
  });

  it('fails where there is no answer in time, and ends the request', async () => {
    const { clock, seen, result } = tried(() => new Promise(() => undefined));
    await clock.advance(999);
    expect(seen[0]?.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(await result).toEqual({ _tag: 'failed', reason: 'no answer within 1000 ms' });
    expect([seen[0]?.signal.aborted, clock.pending()]).toEqual([true, 0]);
  });

  it('that is stopped says nothing of the target, and asks it for nothing where it was stopped before', async () => {
    const stop = new AbortController();
    const { clock, result, seen } = tried(() => new Promise(() => undefined), stop.signal);
    stop.abort();
    expect(await result).toEqual({ _tag: 'stopped' });
    expect([seen[0]?.signal.aborted, clock.pending()]).toEqual([true, 0]);
    const late = tried(() => 200, stop.signal);
    expect(await late.result).toEqual({ _tag: 'stopped' });
    expect(late.seen).toEqual([]);
  });
});
