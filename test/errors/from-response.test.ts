import { describe, expect, it } from 'vitest';
import { errorFromResponse, readErrorBody } from '../../src/core/errors/from-response.js';
import { retryAfter } from '../../src/core/errors/retry-after.js';

const errorOf = (status: number, body: unknown = '', headers: Readonly<Record<string, string>> = {}) =>
  errorFromResponse({
    endpoint: 'POST /api/prompt',
    status,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const typed = (type: string) => ({ error: { type, message: 'm' } });

describe('errorFromResponse', () => {
  it.each([
    [400, 'BadRequest'],
    [401, 'Unauthorized'],
    [402, 'InsufficientCredits'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [413, 'TooLarge'],
    [422, 'BadRequest'],
    [429, 'SubscriptionInactive'],
    [500, 'ServerError'],
    [502, 'ServerError'],
    [503, 'ServerError'],
    [599, 'ServerError'],
    [0, 'UnexpectedStatus'],
    [302, 'UnexpectedStatus'],
    [405, 'UnexpectedStatus'],
    [418, 'UnexpectedStatus'],
    [600, 'UnexpectedStatus'],
  ])('reads a bare %i as %s', (status, tag) => {
    const error = errorOf(status);
    expect(error._tag).toBe(tag);
    expect(error.status).toBe(status);
    expect(error.endpoint).toBe('POST /api/prompt');
    expect(error.message).toContain(`(${status}).`);
    expect('sample' in error).toBe(false);
  });

  it.each([
    [429, 'QUEUE_LIMIT', 'QueueFull'],
    [429, 'queue_full', 'QueueFull'],
    [429, 'FREE_TIER_UNAVAILABLE', 'RateLimited'],
    [429, 'BILLING_UNAVAILABLE', 'RateLimited'],
    [429, 'PLATFORM_REFUSED', 'RateLimited'],
    [429, 'rate_limited', 'RateLimited'],
    [429, 'SOMETHING_NEW', 'RateLimited'],
    [429, 'PAYMENT_REQUIRED', 'SubscriptionInactive'],
    [429, 'CLOUD_SUBSCRIPTION_REQUIRED', 'SubscriptionInactive'],
    [429, 'FREE_TIER_EXHAUSTED', 'SubscriptionInactive'],
    [429, 'FREE_TIER_NOT_ALLOWED', 'SubscriptionInactive'],
    [429, 'PARTNER_NODE_PAYMENT_REQUIRED', 'SubscriptionInactive'],
    [429, 'MODEL_PAYMENT_REQUIRED', 'SubscriptionInactive'],
    [402, 'PAYMENT_REQUIRED', 'InsufficientCredits'],
    [402, 'MODEL_PAYMENT_REQUIRED', 'InsufficientCredits'],
    [402, 'CLOUD_SUBSCRIPTION_REQUIRED', 'SubscriptionInactive'],
    [402, 'FREE_TIER_EXHAUSTED', 'SubscriptionInactive'],
    [402, 'FREE_TIER_NOT_ALLOWED', 'SubscriptionInactive'],
    [403, 'CLOUD_SUBSCRIPTION_REQUIRED', 'SubscriptionInactive'],
    [403, 'PARTNER_NODE_DISABLED', 'Forbidden'],
    [403, 'auth_type_not_allowed', 'Forbidden'],
    [400, 'prompt_no_outputs', 'BadRequest'],
    [401, 'CLOUD_SUBSCRIPTION_REQUIRED', 'Unauthorized'],
    [429, 'DEPLOYMENT_NOT_READY', 'RateLimited'],
    [429, 'TOO_MANY_STREAMS', 'RateLimited'],
  ])('reads %i %s as %s', (status, type, tag) => {
    const error = errorOf(status, typed(type));
    expect(error._tag).toBe(tag);
    expect(error.errorType).toBe(type);
  });

  it('lets a plan word win over a hint to come back, and a hint make an untyped 429 back-pressure', () => {
    const hint = { 'retry-after': '3' };
    expect(errorOf(429, typed('FREE_TIER_EXHAUSTED'), hint)._tag).toBe('SubscriptionInactive');
    expect(errorOf(429, '', hint)).toMatchObject({ _tag: 'RateLimited', retryAfterMs: 3000, retry: 'after' });
    expect(errorOf(429, '', { 'retry-after': '-1' })._tag).toBe('SubscriptionInactive');
  });

  it('reads a date by the given time', () => {
    const error = errorFromResponse(
      {
        endpoint: 'GET /x',
        status: 503,
        headers: { 'retry-after': 'Thu, 01 Jan 1970 00:01:00 GMT' },
        body: '',
      },
      { wallMs: 30_000 },
    );
    expect(error.retryAfterMs).toBe(30_000);
  });

  it('reads a date from 1970 on where no time is given', () => {
    const error = errorOf(503, '', { 'retry-after': 'Thu, 01 Jan 1970 00:01:00 GMT' });
    expect(error.retryAfterMs).toBe(60_000);
  });

  it('keeps what every shape of body says', () => {
    expect(errorOf(404, { code: 'NOT_FOUND', message: 'no job' })).toMatchObject({
      errorType: 'NOT_FOUND',
      message: 'The service has no such job, file or node (404): no job',
    });
    expect(errorOf(404, { error: 'Job not found' }).message).toContain('Job not found');
    expect(errorOf(500, '500 Internal Server Error\n\nServer got itself in trouble').message).toContain(
      'in trouble',
    );
    expect(errorOf(502, '<html><h1>Bad Gateway</h1></html>').message).toBe(
      'The service failed (502, an HTML page).',
    );
    expect(errorOf(502, '<html><h1>Bad Gateway</h1></html>').sample).toContain('Bad Gateway');
    expect(errorOf(429, { error: { code: 'queue_full', message: 'full' } })._tag).toBe('QueueFull');
  });

  it.each([
    ['with quotes', 'Bearer error="insufficient_scope"'],
    ['without quotes', 'Bearer error=insufficient_scope'],
    ['behind a parameter of a like name', 'Bearer last_error="none", error="insufficient_scope"'],
  ])('reads a missing scope from its header %s', (_, header) => {
    expect(errorOf(403, 'no', { 'www-authenticate': header }).errorType).toBe('insufficient_scope');
  });

  it('reads node errors, also beside numbers that are no JSON', () => {
    const problem =
      '{"type":"value_bigger_than_max","message":"big","details":"x","extra_info":{"received_value":NaN}}';
    const body = `{"error":{"type":"prompt_outputs_failed_validation","message":"bad"},"node_errors":{"__proto__":{"errors":[${problem}],"dependent_outputs":["9"],"class_type":"K"}}}`;
    const error = errorOf(400, body);
    if (error._tag !== 'BadRequest') throw error;
    expect(Object.keys(error.nodeErrors)).toEqual(['__proto__']);
    expect(Object.values(error.nodeErrors)[0]?.errors[0]?.message).toBe('big');
    expect(errorOf(400)).toMatchObject({ nodeErrors: {} });
  });

  it('keeps at most 500 characters of anything', () => {
    const error = errorOf(400, { code: 'c'.repeat(2000), message: 'm'.repeat(9000) });
    expect(error.errorType).toHaveLength(500);
    expect(error.sample?.length).toBeLessThanOrEqual(500);
    expect(error.message.length).toBeLessThan(600);
  });

  it('redacts before it cuts', () => {
    const secret = 'comfyui-0123456789';
    for (const padding of [0, 480, 490, 495, 499]) {
      const body = JSON.stringify({
        code: `${'x'.repeat(padding)}${secret}`,
        message: `${'y'.repeat(padding)}${secret}`,
      });
      const error = errorFromResponse(
        { endpoint: 'GET /x', status: 500, headers: {}, body },
        { redact: (text) => text.replaceAll(secret, '[redacted]') },
      );
      const all = JSON.stringify(error) + String(error.stack);
      expect(all).not.toContain('comfyui');
      expect(all).not.toContain('0123456789');
    }
  });

  it('names the prompt where it is given', () => {
    const error = errorFromResponse(
      { endpoint: 'GET /x', status: 404, headers: {}, body: '' },
      { promptId: 'p' },
    );
    expect(error.promptId).toBe('p');
  });

  it.each(['null', '[]', '"text"', '3', '{', '\u0000', '{"error":{"message":{}}}', '{"node_errors":[1]}'])(
    'has an answer to %j',
    (body) => {
      expect(errorOf(400, body)._tag).toBe('BadRequest');
    },
  );
});

const read = (json: unknown) => readErrorBody(JSON.stringify(json), json);

describe('readErrorBody', () => {
  it('takes the error object first', () => {
    expect(read({ error: { type: 'a', message: 'm' }, code: 'C', message: 'n' })).toEqual({
      type: 'a',
      message: 'm',
    });
    expect(read({ error: { code: 'c', message: 'm' } })).toEqual({ type: 'c', message: 'm' });
    expect(read({ error: { message: 'm', details: 'd' } })).toEqual({ message: 'm (d)' });
    expect(read({ error: { details: 'd' } })).toEqual({ message: 'd' });
    expect(read({ error: {}, code: 'C', message: 'n' })).toEqual({ type: 'C', message: 'n' });
  });

  it('takes an error text, then code and message', () => {
    expect(read({ error: 'no', message: 'n' })).toEqual({ message: 'no' });
    expect(read({ code: 'NOT_FOUND', message: 'n' })).toEqual({ type: 'NOT_FOUND', message: 'n' });
    expect(read({ message: 'n' })).toEqual({ message: 'n' });
    expect(read({ code: ' NOT_FOUND ', message: 'n\n' })).toEqual({ type: 'NOT_FOUND', message: 'n' });
  });

  it.each([
    [{ detail: 'not on the list' }, 'not on the list'],
    [{ type: 'about:blank', title: 'Forbidden', detail: 'role viewer' }, 'role viewer'],
    [{ title: 'Too early' }, 'Too early'],
    [{ detail: { message: 'locked' } }, 'locked'],
    [{ detail: { error: 'locked' } }, 'locked'],
    [
      { detail: [{ loc: ['body', 'prompt'], msg: 'field required', type: 'missing' }, { msg: 'too long' }] },
      'field required; too long',
    ],
    [{ errors: ['no room', { message: 'no time' }, 3] }, 'no room; no time'],
    [{ error: 'busy', error_description: 'for an hour' }, 'busy (for an hour)'],
    [{ detail: [], title: '' }, undefined],
  ])('N3 takes the words of proxies and frameworks: %j', (json, message) => {
    expect(read(json)).toEqual(message === undefined ? {} : { message });
  });

  it('hands node errors on as they are', () => {
    expect(read({ error: { type: 't' }, node_errors: { 1: {} } })).toEqual({
      type: 't',
      nodeErrors: { 1: {} },
    });
  });

  it('quotes plain text but neither markup nor nothing', () => {
    expect(readErrorBody(' Server got itself in trouble \n', undefined)).toEqual({
      message: 'Server got itself in trouble',
    });
    expect(readErrorBody('no <html> [here]', undefined)).toEqual({ message: 'no <html> [here]' });
    for (const text of ['', '  ', '<html>502</html>', '[1]', '{"a":'])
      expect(readErrorBody(text, undefined)).toEqual({});
  });

  it('is not put off by members of other types', () => {
    for (const json of [
      {},
      { error: null },
      { error: [] },
      { error: 5, code: 5, message: [] },
      { message: ' ' },
    ]) {
      expect(read(json)).toEqual({});
    }
    expect(readErrorBody('3', 3)).toEqual({ message: '3' });
  });
});

const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');

describe('retryAfter', () => {
  it.each([
    ['0', 0],
    ['3', 3000],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['10.25', 10_250],
    ['1000000000', 86_400_000],
    ['Wed, 21 Oct 2026 07:28:09 GMT', 9000],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
    ['Fri, 21 Oct 2050 07:28:00 GMT', 86_400_000],
  ])('reads %j', (header, ms) => {
    expect(retryAfter(header, now)).toBe(ms);
  });

  it.each([
    undefined,
    '',
    '-1',
    'NaN',
    'Infinity',
    'soon',
    '1e9',
    '3 s',
    '0x10',
    '2026-10-21',
    '21 Oct 2026 07:28:09 GMT',
  ])('E8: takes %j for no hint', (header) => {
    expect(retryAfter(header, now)).toBeUndefined();
  });
});
