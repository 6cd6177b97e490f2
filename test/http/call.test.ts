import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import type { CallOptions, Withdrawal } from '../../src/core/http/rest-options.js';
import { circuitBreaker } from '../../src/core/http/circuit-breaker.js';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { get, submit } from '../helpers/play-call.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import { request } from '../../src/core/http/request.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { Subscription } from 'rxjs';
import { serviceError } from '../../src/core/errors/service-error.js';

type Answer = number | 'hang' | (FakeAnswer & { readonly afterMs?: number });

/** The calls of one client, whose requests are answered one after the other by these answers, and by 200 from then on. */
const client = (answers: readonly Answer[], probe?: () => Promise<E.Either<ServiceError, unknown>>) => {
  const closing = new AbortController();
  const platform = fakePlatform(({ signal }) => {
    const answer = answers[platform.requests.length - 1] ?? 200;
    if (typeof answer === 'number') return { status: answer, body: answer === 200 ? { ok: true } : '' };
    if (answer !== 'hang')
      return new Promise((resolve) => void platform.clock.after(answer.afterMs ?? 0, () => resolve(answer)));
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  const refused = E.left(serviceError('Unauthorized', {}));
  const breaker = circuitBreaker({
    clock: platform.clock,
    probe: probe ?? (() => Promise.resolve(refused)),
    checkKey: () => Promise.resolve(refused),
    isKeyAccepted: () => false,
    ended: () => undefined,
  });
  const connection = httpConnection(platform, { breaker, closed: closing.signal });
  /** Starts a call, and says how it ended and when. */
  const call = (options: CallOptions & Withdrawal = {}, endpoint = get) => {
    let ended: { readonly result: E.Either<ServiceError, unknown>; readonly at: number } | undefined;
    void request(connection)(endpoint, options)().then((result) => {
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

  it('E23: goes on with the other one where its own refusal comes later', async () => {
    const { call, after } = client([401, { status: 401, afterMs: 500 }]);
    call();
    call();
    expect(await after(999)).toBe(2);
    expect(await after(1)).toBe(4);
  });

  it('E23: has all of its own time left where it was given none', async () => {
    const slow = { status: 500, afterMs: 25_000 };
    const { call, after } = client([401, 'hang', slow, { ...slow, status: 200, body: { ok: true } }]);
    call();
    await after(500);
    const second = call();
    await after(90_000);
    expect(rightOf(second.ended()!.result)).toEqual({ ok: true });
    expect(second.ended()!.at).toBeGreaterThan(80_000);
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
      await after(100);
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

describe('a refusal', () => {
  const worded = { status: 401, body: { error: { type: 'UNAUTHORIZED', message: 'm' } } };

  it('E22: in the words of the service is met again where the key was accepted before', async () => {
    const unknown = client([worded]);
    const { error } = unknown.call();
    expect(await unknown.after(5_000)).toBe(1);
    expect(error()).toMatchObject({ _tag: 'Unauthorized', errorType: 'UNAUTHORIZED' });
    const accepted = client([200, worded]);
    accepted.call();
    await accepted.after(0);
    const { ended } = accepted.call();
    expect(await accepted.after(5_000)).toBe(3);
    expect(rightOf(ended()!.result)).toEqual({ ok: true });
  });

  it('E22: is told once the key was checked, or after 15 s', async () => {
    const { call, after } = client([worded], () => new Promise(() => undefined));
    const { ended, error } = call();
    await after(14_999);
    expect(ended()).toBeUndefined();
    await after(1);
    expect(error()).toMatchObject({ _tag: 'Unauthorized' });
  });
});

describe('the deadline of a call', () => {
  it('B8: counts every attempt, and the waits after failures', async () => {
    const { call, after } = client(Array.from({ length: 4 }, () => ({ status: 500, afterMs: 25_000 })));
    const { ended, error } = call();
    expect(await after(100_000)).toBe(3);
    expect(error()).toMatchObject({ _tag: 'Timeout', timeoutMs: 60_000 });
    expect(ended()?.at).toBe(60_000);
  });

  const later = { status: 503, headers: { 'retry-after': '40' } };

  it('B8: does not count the waits that the service asks for, unless it was given', async () => {
    const answers = [later, { status: 200, body: { ok: true }, afterMs: 25_000 }];
    const [own, given] = [client(answers), client(answers)];
    const { ended } = own.call();
    expect(await own.after(65_000)).toBe(2);
    expect(rightOf(ended()!.result)).toEqual({ ok: true });
    const { error } = given.call({ timeoutMs: 40_000 });
    expect(await given.after(0)).toBe(1);
    expect(error()).toMatchObject({ _tag: 'ServerError' });
  });

  it.each([
    ['a failure, and may have been received', 500, true],
    ['an answer that asks to wait, and was not taken', later, false],
  ])('ends with a call that is aborted while it waits after %s', async (_, answer, sent) => {
    const { call, after } = client([answer]);
    const caller = new AbortController();
    const { error } = call({ signal: caller.signal });
    await after(0);
    caller.abort();
    await after(0);
    expect(error()).toMatchObject({ _tag: 'Aborted', sent });
    expect(await after(60_000)).toBe(1);
  });

  it('ends with a submission that is withdrawn while it waits to be sent again', async () => {
    const body = { error: { type: 'BUSY', message: 'm' } };
    const { call, after } = client([{ ...later, body }]);
    const withdrawal = new Subscription();
    const { error } = call({ withdrawal }, submit);
    await after(1_000);
    withdrawal.unsubscribe();
    expect(await after(60_000)).toBe(1);
    expect(error()).toMatchObject({ _tag: 'Aborted', sent: false });
  });
});
