import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import { request } from '../../src/core/http/request.js';
import type { CallOptions } from '../../src/core/http/rest.js';
import { view } from '../../src/core/http/view.js';
import type { Endpoint } from '../../src/core/endpoints/endpoint.js';
import type { HttpResponse } from '../../src/core/platform/platform.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection } from '../helpers/http-connection.js';

const get: Endpoint<unknown> = {
  method: 'GET',
  path: '/api/queue',
  idempotency: 'never',
  read: E.right,
};
const submit: Endpoint<unknown> = {
  ...get,
  method: 'POST',
  idempotency: 'submission',
  json: '{}',
};

interface Answer {
  readonly status: number;
  readonly pieces: readonly string[];
  /** Between pieces, before the first one and after the last one. */
  readonly everyMs?: number;
  readonly then: 'cut' | 'stall' | 'end';
}

/** A service that answers once and spoils the rest; without an answer it never says anything. */
const spoiling = (answer?: Answer) => {
  const platform = fakePlatform();
  let discarded = 0;
  const wait = (ms: number) => new Promise<void>((resolve) => void platform.clock.after(ms, resolve));
  const never = new Promise<never>(() => undefined);
  async function* body({ pieces, everyMs = 0, then }: Answer): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      if (everyMs > 0) await wait(everyMs);
      yield new TextEncoder().encode(piece);
    }
    if (then === 'stall') await never;
    if (then === 'cut') throw Object.assign(new Error('cut'), { code: 'ECONNRESET', sent: true });
  }
  const connection = httpConnection({
    ...platform,
    request: ({ onSent }): Promise<HttpResponse> => {
      onSent?.();
      if (answer === undefined) return never;
      return Promise.resolve({
        status: answer.status,
        headers: {},
        body: body(answer),
        discard: () => (discarded += 1),
      });
    },
  });
  const play = async (call: () => Promise<E.Either<unknown, unknown>>) => {
    let over: { readonly at: number; readonly told: unknown } | undefined;
    void call().then((told) => {
      over = { at: platform.clock.now(), told: E.isLeft(told) ? told.left : told.right };
    });
    for (let nth = 0; nth < 200 && over === undefined; nth += 1) await platform.clock.advance(1_000);
    return { ...over, discarded, pending: platform.clock.pending() };
  };
  return {
    ask: (endpoint: Endpoint<unknown> = get, options: CallOptions = {}) =>
      play(request(connection)(endpoint, options)),
    view: () => play(view(connection, { filename: 'a.png', subfolder: '', type: 'output' })),
  };
};

const typed = '{"error":{"type":"OOMError","message":"no"}}';

describe('a refusal', () => {
  it.each([
    [400, 'BadRequest'],
    [401, 'Unauthorized'],
    [402, 'InsufficientCredits'],
    [404, 'NotFound'],
    [429, 'SubscriptionInactive'],
    [500, 'ServerError'],
  ])('E11 %d keeps its status where its body is cut', async (status, _tag) => {
    const { told, discarded } = await spoiling({ status, pieces: ['{"err'], then: 'cut' }).ask();
    expect(told).toMatchObject({ _tag, status, sample: '{"err' });
    expect(discarded).toBe(1);
  });

  it('E11 is typed by what came of its body', async () => {
    const { told } = await spoiling({ status: 400, pieces: [typed], then: 'cut' }).ask(submit);
    expect(told).toMatchObject({ _tag: 'BadRequest', status: 400, errorType: 'OOMError' });
  });

  it.each([
    ['stalls', { pieces: ['{"err'], then: 'stall' } as const],
    ['drips', { pieces: Array.from({ length: 100 }, () => 'x'), everyMs: 2_000, then: 'end' } as const],
  ])('E11 E14 is told after 5 s where its body %s', async (_, spoilt) => {
    for (const endpoint of [get, submit]) {
      const { told, at, pending } = await spoiling({ status: 400, ...spoilt }).ask(endpoint);
      expect(told).toMatchObject({ _tag: 'BadRequest', status: 400 });
      expect(at).toBe(5_000);
      expect(pending).toBeLessThanOrEqual(1);
    }
  });

  it('E5 of a submission is unclear by its status alone', async () => {
    const { told } = await spoiling({ status: 502, pieces: [], then: 'cut' }).ask(submit);
    expect(told).toMatchObject({ _tag: 'OutcomeUnknown', status: 502 });
  });

  it('E11 G5 of a view keeps its status where its body is cut', async () => {
    const { told } = await spoiling({ status: 401, pieces: ['{'], then: 'cut' }).view();
    expect(told).toMatchObject({ _tag: 'Unauthorized', status: 401 });
  });
});

describe('an answer', () => {
  it('B8 that does not begin is given up after 30 s', async () => {
    const { told, at } = await spoiling().ask();
    expect(told).toMatchObject({ _tag: 'Timeout', timeoutMs: 30_000, sent: true });
    expect(at).toBe(30_000);
  });

  it('B8 that does not begin leaves a submission unclear after 30 s', async () => {
    const { told, at } = await spoiling().ask(submit);
    expect(told).toMatchObject({ _tag: 'OutcomeUnknown' });
    expect(at).toBe(30_000);
  });

  it('B8 of a view that does not begin is given up after 30 s', async () => {
    const { told, at } = await spoiling().view();
    expect(told).toMatchObject({ _tag: 'Timeout', timeoutMs: 30_000 });
    expect(at).toBe(30_000);
  });

  it('B8 to an upload may take 60 s, since the bytes are on their way before it', async () => {
    const { at } = await spoiling().ask({ ...get, method: 'POST', form: [{ name: 'a', value: 'b' }] });
    expect(at).toBe(60_000);
  });

  it('B8 E14 that stops is given up after 30 s of silence', async () => {
    const { told, at, discarded } = await spoiling({
      status: 200,
      pieces: ['{'],
      everyMs: 7_000,
      then: 'stall',
    }).ask();
    expect(told).toMatchObject({ _tag: 'Timeout', timeoutMs: 30_000 });
    expect([at, discarded]).toEqual([37_000, 1]);
  });

  it('E14 that drips is given up after 60 s', async () => {
    const pieces = Array.from({ length: 100 }, () => ' ');
    const { told, at } = await spoiling({ status: 200, pieces, everyMs: 20_000, then: 'end' }).ask();
    expect(told).toMatchObject({ _tag: 'Timeout', timeoutMs: 60_000 });
    expect(at).toBe(60_000);
  });

  it.each([5_000, 100_000])('B8 is awaited for %d ms where the caller says so', async (timeoutMs) => {
    const { told, at } = await spoiling().ask(get, { timeoutMs });
    expect(told).toMatchObject({ _tag: 'Timeout', timeoutMs });
    expect(at).toBe(timeoutMs);
  });
});
