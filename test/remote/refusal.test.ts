import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../src/page/remote/refusal.js';

const of = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  refusalOf(
    new Response(typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body), {
      ...{ status, headers },
    }),
    'POST /jobs',
    1_000,
  );

describe('the error of an answer that is no success', () => {
  it.each([
    [400, 'BadRequest'],
    [401, 'Unauthorized'],
    [402, 'InsufficientCredits'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [409, 'BadRequest'],
    [413, 'TooLarge'],
    [418, 'UnexpectedStatus'],
    [422, 'BadRequest'],
    [429, 'RateLimited'],
    [500, 'ServerError'],
    [501, 'NotSupported'],
    [502, 'ServerError'],
    [599, 'ServerError'],
  ])('of %i is %s', async (status, tag) => {
    const error = await of(status);
    expect(error).toMatchObject({ _tag: tag, status, endpoint: 'POST /jobs' });
    expect(error.message).toBe(`The gateway refused the request (${status}).`);
    expect(error.hint === 'Give a token that the gateway accepts.').toBe(status === 401);
    expect('nodeErrors' in error).toBe(tag === 'BadRequest');
  });

  it('says what problem details or the envelope of API v2 say', async () => {
    const details = { job_id: 'j', extra: 1 };
    expect(await of(500, { error: { code: 'upstream_error', message: 'No.', details } })).toMatchObject({
      ...{ errorType: 'upstream_error', promptId: 'j' },
      message: 'The gateway refused the request (500: No.).',
    });
    expect(await of(404, { code: 'job_not_found', detail: 'None.', job_id: 'j' })).toMatchObject({
      ...{ _tag: 'NotFound', errorType: 'job_not_found', promptId: 'j' },
      message: 'The gateway refused the request (404: None.).',
    });
    for (const [body, said] of [
      ['<html>', ': an HTML page'],
      ['upstream timed out', ': upstream timed out'],
      ['null', ''],
      ['[]', ''],
      ['{"error":{"code":7,"message":{},"details":[]}}', ''],
    ] as const) {
      const error = await of(500, body);
      expect([error._tag, error.errorType, error.promptId]).toEqual(['ServerError', undefined, undefined]);
      expect(error.message).toBe(`The gateway refused the request (500${said}).`);
    }
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) });
    expect(await refusalOf(new Response(broken, { status: 500 }), 'GET /x', 0)).toMatchObject({
      ...{ _tag: 'ServerError', message: 'The gateway refused the request (500).' },
    });
  });

  it('N3 tells a proxy that asks for credentials from a gateway that refuses a token', async () => {
    const proxy = await of(401, '<html><title>Sign in</title>', { 'www-authenticate': 'Basic realm="x"' });
    expect(proxy.message).toBe(
      'The gateway refused the request (401: an HTML page, "Sign in", it asks for Basic).',
    );
    expect(proxy.hint).toContain('proxy');
    const own = await of(401, { code: 'unauthorized', detail: 'No.' }, { 'www-authenticate': 'Bearer' });
    expect(own.hint).toBe('Give a token that the gateway accepts.');
  });

  it('has what each kind has of its own', async () => {
    expect(await of(429, { code: 'queue_full' }, { 'retry-after': '7' })).toMatchObject({
      ...{ _tag: 'QueueFull', retryAfterMs: 7_000 },
    });
    expect(await of(429, { code: 'rate_limited' })).toMatchObject({ _tag: 'RateLimited' });
    const problems = [{ name: 'prompt', type: 'missing', message: 'It is missing.' }];
    expect(await of(422, { code: 'invalid_inputs', problems })).toMatchObject({
      ...{ _tag: 'InvalidInputs', problems },
    });
    expect(await of(422, { code: 'invalid_inputs' })).toMatchObject({ _tag: 'BadRequest' });
    expect(await of(422, { code: 'other', problems })).toMatchObject({ _tag: 'BadRequest' });
    const node_errors = { 3: { class_type: 'A', errors: [{ type: 't', message: 'm', details: 'd' }] } };
    const refused = await of(422, { error: { code: 'invalid_workflow', details: { node_errors } } });
    expect(refused._tag === 'BadRequest' && Object.keys(refused.nodeErrors)).toEqual(['3']);
  });
});
