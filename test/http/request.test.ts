import { dialects } from '../../src/client/dialects/dialects.js';
import { inspect } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import { request } from '../../src/core/http/request.js';
import { realClock } from '../../src/core/platform/clock.js';
import type { Endpoint } from '../../src/core/endpoints/endpoint.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import type { HttpRequest, HttpResponse } from '../../src/core/platform/platform.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { failure, get, play, type Step, submit } from '../helpers/play-call.js';
import { canary, httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';

describe('request', () => {
  it('does nothing until it is run, and everything again each time', async () => {
    const platform = fakePlatform(() => ({ body: [1] }));
    const task = request(httpConnection(platform))(get);
    expect(platform.requests).toHaveLength(0);
    expect(await task()).toEqual(E.right([1]));
    expect(await task()).toEqual(E.right([1]));
    expect(platform.requests).toHaveLength(2);
  });

  it('sends method, address, body and the key in its header alone', async () => {
    const { requests } = await play([{ body: {} }], { ...submit, query: { a: 'b c' } });
    const { method, url, headers, json } = requests[0] as HttpRequest;
    expect({ method, url, json }).toEqual({
      method: 'POST',
      url: 'http://127.0.0.1:9/api/prompt?a=b+c',
      json: '{}',
    });
    expect(headers).toEqual({ accept: '*/*', 'content-type': 'application/json', 'x-api-key': canary });
  });

  it('sends no key to a local server, and none that there is not', async () => {
    const local = await play([{ body: {} }], get, {}, { dialect: dialects.local.http });
    const keyless = await play([{ body: {} }], get, {}, { key: () => undefined });
    for (const { requests } of [local, keyless]) expect(requests[0]?.headers).toEqual({ accept: '*/*' });
  });

  it('G1 gives no secret back that the service quotes, wherever it stands in the answer', async () => {
    const { result } = await play([{ body: { a: [`key ${canary}`], [canary]: { b: canary } } }]);
    const text = JSON.stringify(rightOf(result));
    expect([text.includes(canary), text.includes('key ')]).toEqual([false, true]);
  });

  it('takes any status of a success', async () => {
    for (const status of [200, 201, 299])
      expect((await play([{ status, body: '1' }])).result).toEqual(E.right(1));
    for (const status of [300, 304, 199])
      expect((await play([{ status, body: '1' }])).result._tag).toBe('Left');
  });

  it('reads an empty body as undefined, and numbers that are no JSON as null', async () => {
    expect((await play([{ body: '' }])).result).toEqual(E.right(undefined));
    expect((await play([{ body: '[NaN, 1]' }])).result).toEqual(E.right([null, 1]));
    expect((await play([{ status: 204, body: '' }])).result).toEqual(E.right(undefined));
  });

  it.each([
    ['N3 text', ' ok\n', 'the answer is no JSON but text, "ok"'],
    ['N3 a long text', 'o'.repeat(201), 'the answer is no JSON'],
    ['N3 JSON that is cut', '{"prompt_id":"a', 'the answer is no JSON'],
    ['N3 a page', '<html>', 'the answer is an HTML page'],
    ['N3 another document', '<?xml version="1.0"?><Error/>', 'the answer is an XML document'],
    ['D13: lists in lists', '['.repeat(1e5) + ']'.repeat(1e5), 'the answer has more than 64 levels'],
    ['another shape', '"bad"', 'it is bad'],
  ])('gives Decode for %s, once', async (_, body, reason) => {
    const { result, requests } = await play([{ body }]);
    // Another try helps where a page stood before the service, and not where the service itself has answered.
    const retry = reason.endsWith('document') || reason.endsWith('page') ? 'after' : 'never';
    expect(leftOf(result)).toMatchObject({
      _tag: 'Decode',
      reason,
      retry,
      status: 200,
      endpoint: 'GET /api/queue',
    });
    expect('option' in leftOf(result)).toBe(false);
    expect(requests).toHaveLength(1);
  });

  it('E17: gives Decode for an answer that is too large, and gives the rest up', async () => {
    let discarded = 0;
    const platform = fakePlatform();
    const endless = {
      ...platform,
      request: (): Promise<HttpResponse> =>
        Promise.resolve({
          status: 200,
          headers: {},
          // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
          body: (async function* () {
            for (;;) yield new Uint8Array(1024).fill(0x78);
          })(),
          discard: () => (discarded += 1),
        }),
    };
    const result = await request(httpConnection(endless))({ ...get, maxBytes: 10_000 })();
    expect(leftOf(result)).toMatchObject({
      _tag: 'Decode',
      reason: 'the answer has more than 10000 bytes, the bound of maxAnswerBytes',
      hint: 'Let larger answers be read with maxAnswerBytes of createClient.',
    });
    expect(leftOf(result).sample).toMatch(/^x{100}/u);
    expect(discarded).toBe(1);
    expect(platform.clock.pending()).toBe(0);
  });

  it('E17: gives Decode for an answer of too many values, unless it is read in pieces', async () => {
    const body = `{"a":[${'{},'.repeat(100_000)}0],"b":[${'{},'.repeat(100_000)}0]}`;
    const platform = { ...fakePlatform(() => ({ body })), clock: realClock };
    const ask = request(httpConnection(platform));
    const eachMember = (path: readonly unknown[]) => (path.length === 1 ? ('part' as const) : undefined);
    expect(leftOf(await ask(get)())).toMatchObject({
      _tag: 'Decode',
      reason: 'the answer holds more than 250,000 values',
    });
    expect(rightOf(await ask({ ...get, parsedInPieces: eachMember, read: E.right })())).toEqual(
      JSON.parse(body),
    );
  });

  it('takes the verdict of an endpoint over the status', async () => {
    const endpoint: Endpoint<unknown> = {
      ...submit,
      promptId: 'p',
      refusedAs: (json) => (json === 1 ? 'missing' : 'refused'),
    };
    expect(
      leftOf((await play([{ body: '1' }], { ...endpoint, idempotency: 'always' })).result),
    ).toMatchObject({
      _tag: 'NotFound',
      promptId: 'p',
    });
    const refused = await play([{ body: { error: { type: 'no_prompt', message: 'm' } } }], endpoint);
    expect(leftOf(refused.result)).toMatchObject({ _tag: 'BadRequest', errorType: 'no_prompt' });
  });

  it('names no job where a submission was refused, though its id was chosen here', async () => {
    const endpoint = { ...submit };
    for (const step of [{ status: 400, body: { error: 'no' } }, failure('ECONNREFUSED', false)]) {
      const steps = Array.from({ length: 9 }, () => step);
      expect('promptId' in leftOf((await play(steps, endpoint)).result)).toBe(false);
    }
    expect(leftOf((await play([{ status: 500 }], endpoint)).result)).toMatchObject({
      _tag: 'OutcomeUnknown',
      candidates: [],
    });
  });

  it('E11: reads at most 64 KiB of a refusal', async () => {
    const { result } = await play([{ status: 400, body: `{"message":"m","x":"${'x'.repeat(10_000_000)}"}` }]);
    expect(leftOf(result)).toMatchObject({ _tag: 'BadRequest', status: 400 });
  });

  it.each([
    ['refused connections', failure('ECONNREFUSED', false), 4],
    ['resets', failure('ECONNRESET', true), 4],
    ['500', { status: 500 }, 4],
    ['408', { status: 408 }, 4],
    ['503 with a hint', { status: 503, headers: { 'retry-after': '1' } }, 3],
    ['429 with a hint', { status: 429, headers: { 'retry-after': '1' } }, 3],
    ['429 without', { status: 429 }, 1],
    ['404', { status: 404 }, 1],
    ['401', { status: 401 }, 1],
  ])('asks again after %s', async (_, step, count) => {
    const { result, requests } = await play([step]);
    expect(E.isLeft(result)).toBe(true);
    expect(requests).toHaveLength(count);
  });

  it('succeeds after failures', async () => {
    const { result, requests } = await play([failure('ECONNRESET', true), { status: 502 }, { body: [1] }]);
    expect(result).toEqual(E.right([1]));
    expect(requests).toHaveLength(3);
  });

  it('B8: ends at its deadline, in a request or before a wait that would pass it', async () => {
    const hanging = await play(['hang']);
    expect(leftOf(hanging.result)).toMatchObject({ _tag: 'Timeout', timeoutMs: 30_000, sent: true });
    expect(hanging.tookMs).toBe(30_000);
    const short = await play(['hang'], get, { timeoutMs: 250 });
    expect(leftOf(short.result)).toMatchObject({ _tag: 'Timeout', timeoutMs: 250 });
    expect(short.tookMs).toBe(250);
    const waiting = await play([{ status: 429, headers: { 'retry-after': '9' } }], get, { timeoutMs: 5000 });
    expect(leftOf(waiting.result)).toMatchObject({ _tag: 'RateLimited', retryAfterMs: 9000 });
    expect(waiting.tookMs).toBe(0);
  });

  it('E14: ends in the middle of a body', async () => {
    const platform = fakePlatform();
    const stalled = {
      ...platform,
      request: (): Promise<HttpResponse> =>
        Promise.resolve({
          status: 200,
          headers: {},
          body: { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) },
          discard: () => undefined,
        }),
    };
    const running = request(httpConnection(stalled))(get)();
    await platform.clock.advance(60_000);
    expect(leftOf(await running)).toMatchObject({ _tag: 'Timeout', sent: true });
    expect(platform.clock.pending()).toBe(0);
  });

  it('is ended by the signal and by the client, before, during and between requests', async () => {
    const aborted = AbortSignal.abort();
    const before = await play(['hang'], get, { signal: aborted });
    expect(leftOf(before.result)).toMatchObject({ _tag: 'Aborted', sent: false });
    expect(before.requests).toHaveLength(0);
    expect(leftOf((await play(['hang'], get, {}, { closed: aborted })).result)._tag).toBe('Closed');

    for (const step of ['hang', failure('ECONNREFUSED', false)] as const) {
      const controller = new AbortController();
      const platform = fakePlatform(
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a platform rejects with plain objects
        () => (step === 'hang' ? new Promise(() => undefined) : Promise.reject(step)),
      );
      const running = request(httpConnection(platform))(get, { signal: controller.signal })();
      await platform.clock.advance(10);
      controller.abort(new Error(canary));
      expect(leftOf(await running)).toMatchObject({ _tag: 'Aborted', sent: step === 'hang' });
      expect(platform.clock.pending()).toBe(0);
    }
  });

  it('I-8: leaves no timer behind and no listener on the signal', async () => {
    const listeners = new Set<unknown>();
    const { signal } = new AbortController();
    const counting = new Proxy(signal, {
      get: (target, name) => {
        if (name === 'addEventListener') return (_: string, listener: unknown) => listeners.add(listener);
        if (name === 'removeEventListener')
          return (_: string, listener: unknown) => listeners.delete(listener);
        return Reflect.get(target, name, target) as unknown;
      },
    });
    const ends: Step[][] = [[{ body: [1] }], [{ status: 404 }], ['hang'], [failure('ECONNRESET', true)]];
    for (const steps of ends) {
      const { platform } = await play(steps, get, { signal: counting });
      expect(platform.clock.pending()).toBe(0);
      expect(listeners.size).toBe(0);
    }
  });

  it('never rejects, whatever the platform does', async () => {
    const causes: readonly unknown[] = [
      undefined,
      null,
      'text',
      new Error(canary),
      { code: 5 },
      failure('X', true),
    ];
    for (const cause of causes) {
      const platform = fakePlatform(() => {
        throw cause;
      });
      const running = request(httpConnection(platform))({ ...get, idempotency: 'never' })();
      expect(leftOf(await running)._tag).toBe('Network');
    }
  });

  it('holds the key in no error, however it is looked at', async () => {
    const echo = { code: canary, message: `${canary} ${encodeURIComponent(canary)}` };
    const steps: Step[] = [
      failure('ECONNRESET', true),
      { status: 400, body: echo },
      { status: 500, body: `<html>${canary}` },
      { body: `no json ${canary}` },
      { body: 'bad' },
      'hang',
    ];
    for (const step of steps) {
      for (const endpoint of [get, submit]) {
        const error: ServiceError = leftOf((await play([step], endpoint)).result);
        const seen = [
          error.message,
          error.stack,
          JSON.stringify(error),
          inspect(error, { depth: 10, showHidden: true }),
        ];
        expect(seen.join('\n')).not.toContain('canary');
      }
    }
  });
});
