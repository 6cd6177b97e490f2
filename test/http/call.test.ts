import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../src/http/rest.js';
import { circuitBreaker } from '../../src/http/circuit-breaker.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { get } from '../helpers/play-call.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import { request } from '../../src/http/request.js';
import type { ServiceError } from '../../src/errors/errors.js';
import { serviceError } from '../../src/errors/service-error.js';

type Answer = number | 'hang' | { readonly status: number; readonly afterMs: number };

/** The calls of one client, whose requests are answered by these statuses one after the other, and by 200 from then on. */
const client = (answers: readonly Answer[]) => {
  const closing = new AbortController();
  const platform = fakePlatform(({ signal }) => {
    const answer = answers[platform.requests.length - 1] ?? 200;
    if (typeof answer === 'number') return { status: answer, body: answer === 200 ? { ok: true } : '' };
    if (answer !== 'hang') {
      const { status, afterMs } = answer;
      return new Promise((resolve) => void platform.clock.after(afterMs, () => resolve({ status })));
    }
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  const refused = E.left(serviceError('Unauthorized', {}));
  const breaker = circuitBreaker({
    clock: platform.clock,
    probe: () => Promise.resolve(refused),
    checkKey: () => Promise.resolve(refused),
    isKeyAccepted: () => false,
    ended: () => undefined,
  });
  const connection = httpConnection(platform, { breaker, closed: closing.signal });
  /** Starts a call, and says how it ended and when. */
  const call = (options: CallOptions = {}) => {
    let ended: { readonly result: E.Either<ServiceError, unknown>; readonly at: number } | undefined;
    void request(connection)(get, options)().then((result) => {
      ended = { result, at: platform.clock.now() };
    });
    return { ended: () => ended, error: () => ended && leftOf(ended.result) };
  };
  const after = async (ms: number): Promise<number> => {
    await platform.clock.advance(ms);
    return platform.requests.length;
  };
  return { call, after, breaker, close: () => closing.abort(), clock: platform.clock };
};

describe('a call while another one confirms a refusal', () => {
  it('E23: waits, and goes on as soon as the other one knows', async () => {
    const { call, after, clock } = client([401]);
    const first = call();
    await after(0);
    const second = call();
    expect(await after(999)).toBe(1);
    expect(second.ended()).toBeUndefined();
    expect(await after(1)).toBe(3);
    for (const { ended } of [first, second]) expect(rightOf(ended()!.result)).toEqual({ ok: true });
    expect(second.ended()?.at).toBe(1_000);
    expect(clock.pending()).toBe(0);
  });

  it('E23: waits as well where its own refusal comes later', async () => {
    const { call, after } = client([401, 401, 'hang']);
    call();
    call();
    expect(await after(10_000)).toBe(3);
  });

  it('E23: is passed on 15 s after the other one has asked again', async () => {
    const { call, after } = client([401, 'hang']);
    call();
    await after(500);
    const second = call();
    expect(await after(15_400)).toBe(2);
    expect(await after(20_000)).toBe(3);
    expect(rightOf(second.ended()!.result)).toEqual({ ok: true });
  });

  it('E23: goes on at once where the other one is aborted', async () => {
    const { call, after } = client([401]);
    const caller = new AbortController();
    const first = call({ signal: caller.signal });
    await after(0);
    const second = call();
    caller.abort();
    expect(await after(0)).toBe(2);
    expect(first.error()).toMatchObject({ _tag: 'Aborted' });
    expect(rightOf(second.ended()!.result)).toEqual({ ok: true });
  });

  it.each([500, 20_000])(
    'B8: waits no longer than its own %d ms, and has sent nothing',
    async (timeoutMs) => {
      const { call, after } = client([401, 'hang']);
      call();
      await after(0);
      const second = call({ timeoutMs });
      await after(timeoutMs - 1);
      expect(second.ended()).toBeUndefined();
      expect(await after(1)).toBe(timeoutMs < 1_000 ? 1 : 2);
      expect(second.error()).toMatchObject({ _tag: 'Timeout', timeoutMs, sent: false });
    },
  );

  it.each([
    ['aborted', 'Aborted'],
    ['closed', 'Closed'],
  ] as const)('is %s while it waits, and has sent nothing', async (how, tag) => {
    const { call, after, close } = client([401, 'hang']);
    const caller = new AbortController();
    call();
    await after(0);
    const second = call({ signal: caller.signal });
    await after(500);
    if (how === 'aborted') caller.abort();
    else close();
    expect(await after(0)).toBe(1);
    expect(second.error()).toMatchObject({ _tag: tag });
  });
});

describe('a call of a client that is stopped', () => {
  it('E23: sends nothing, and fails with the refusal, or as closed', async () => {
    const { call, after, close } = client([401, 401, 401]);
    const first = call();
    expect(await after(4_000)).toBe(3);
    const second = call();
    await after(0);
    for (const { error } of [first, second]) expect(error()).toMatchObject({ _tag: 'Unauthorized' });
    close();
    const third = call();
    expect(await after(0)).toBe(3);
    expect(third.error()).toMatchObject({ _tag: 'Closed' });
  });

  it('E25: is sent again at once where the key was changed while it was under way', async () => {
    const { call, after, breaker } = client([{ status: 401, afterMs: 1_000 }]);
    const { ended } = call();
    await after(500);
    breaker.reset();
    expect(await after(500)).toBe(2);
    expect(rightOf(ended()!.result)).toEqual({ ok: true });
  });
});
