import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import { request } from '../../src/core/http/request.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { failure, get, play, type Step, submit } from '../helpers/play-call.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';

describe('request of a submission', () => {
  it.each([
    ['a reset', failure('ECONNRESET', true)],
    ['a failure of which nothing is known', new Error('boom')],
    ['a failure that does not say whether anything left', Object.assign(new Error('x'), { code: 'X' })],
    ['a silent server', 'hang' as const],
    ['500', { status: 500 }],
    ['502 with HTML', { status: 502, body: '<html>' }],
    ['408', { status: 408 }],
    ['503 without a hint', { status: 503, body: { code: 'BUSY', message: 'm' } }],
    ['503 that does not say why', { status: 503, headers: { 'retry-after': '1' } }],
    ['an unreadable success', { body: '{"prompt_id":' }],
    ['a success of another shape', { body: '"bad"' }],
  ])('E1, E2, E5: is of unknown outcome after %s, and sent once', async (_, step) => {
    const { result, requests } = await play([step], submit);
    expect(leftOf(result)).toMatchObject({
      _tag: 'OutcomeUnknown',
      retry: 'unknown outcome',
      candidates: [],
      startedAt: 1_767_225_600_000,
      endpoint: 'POST /api/prompt',
    });
    expect(requests).toHaveLength(1);
  });

  it('N3 was not submitted where a page stands in place of the answer', async () => {
    const body = '<!doctype html><html><head><title>Sign  in</title></head></html>';
    const { result, requests } = await play([{ body }], submit);
    expect(leftOf(result)).toMatchObject({
      _tag: 'Decode',
      retry: 'after',
      reason: 'the answer is an HTML page, "Sign in"',
      status: 200,
    });
    expect(leftOf(result).hint).toMatch(/baseUrl.*headers/u);
    expect(requests).toHaveLength(1);
  });

  it('E19: is of unknown outcome when it is aborted after it left', async () => {
    const controller = new AbortController();
    const platform = fakePlatform(() => new Promise(() => undefined));
    const running = request(httpConnection(platform))(submit, { signal: controller.signal })();
    controller.abort();
    expect(leftOf(await running)._tag).toBe('OutcomeUnknown');
  });

  it('E3: is sent again while nothing left, three times at most', async () => {
    const refused = failure('ECONNREFUSED', false);
    const accepted = await play([refused, refused, refused, { body: { prompt_id: 'p' } }], submit);
    expect(rightOf(accepted.result)).toEqual({ prompt_id: 'p' });
    const never = await play([refused], submit);
    expect(leftOf(never.result)).toMatchObject({ _tag: 'Network', sent: false, code: 'ECONNREFUSED' });
    expect(never.requests).toHaveLength(4);
  });

  it.each([
    ['429 with a hint', { status: 429, headers: { 'retry-after': '60' } }, 'RateLimited', 3, 120_000],
    [
      '429 of back-pressure',
      { status: 429, body: { error: { type: 'BILLING_UNAVAILABLE' } } },
      'RateLimited',
      3,
      1500,
    ],
    [
      '503 that says why',
      { status: 503, headers: { 'retry-after': '2' }, body: { code: 'BUSY' } },
      'ServerError',
      3,
      4000,
    ],
    ['429 of a plan', { status: 429 }, 'SubscriptionInactive', 1, 0],
    ['a full queue', { status: 429, body: { error: { type: 'QUEUE_LIMIT' } } }, 'QueueFull', 1, 0],
    ['402', { status: 402 }, 'InsufficientCredits', 1, 0],
    ['400', { status: 400 }, 'BadRequest', 1, 0],
    ['413', { status: 413 }, 'TooLarge', 1, 0],
    ['a redirect', { status: 307 }, 'UnexpectedStatus', 1, 0],
  ])('is clearly refused by %s', async (_, step, tag, count, waited) => {
    const { result, requests, tookMs } = await play([step], submit);
    expect(leftOf(result)._tag).toBe(tag);
    expect(requests).toHaveLength(count);
    expect(tookMs).toBe(waited);
  });

  it.each([
    ['the network', failure('ECONNREFUSED', false), 'Network'],
    ['429 with a hint', { status: 429, headers: { 'retry-after': '60' } }, 'RateLimited'],
    ['429 of a plan', { status: 429 }, 'SubscriptionInactive'],
  ])('sends one request with retry: false, where it is refused by %s', async (_, step, tag) => {
    const { result, requests, tookMs } = await play([step], submit, { retry: false });
    expect(leftOf(result)._tag).toBe(tag);
    expect(requests).toHaveLength(1);
    expect(tookMs).toBe(0);
  });

  it('E6: is accepted after back-pressure', async () => {
    const busy = { status: 429, headers: { 'retry-after': '3' } };
    const { result, requests, tookMs } = await play([busy, busy, { body: [1] }], submit);
    expect(result).toEqual(E.right([1]));
    expect(requests).toHaveLength(3);
    expect(tookMs).toBe(6000);
  });
});

it('E1 a key that is used may be of this very submission: what became of it is unknown', async () => {
  const used: Step = { status: 422, body: { error: { code: 'idempotency_key_reuse', message: 'Used.' } } };
  const { result, requests } = await play([used], submit);
  expect(leftOf(result)).toMatchObject({ _tag: 'OutcomeUnknown', keyUsed: true, candidates: [] });
  expect(requests).toHaveLength(1);
  const other = await play([{ ...used, body: { error: { code: 'conflict', message: 'No.' } } }], submit);
  expect(leftOf(other.result)._tag).not.toBe('OutcomeUnknown');
  const asked = await play([used], get);
  expect(leftOf(asked.result)._tag).not.toBe('OutcomeUnknown');
});
