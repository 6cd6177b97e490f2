import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesInRange, readRange } from '../../../src/server/gateway/v2/range.js';
import { readIdempotencyKey, readSubmission } from '../../../src/server/gateway/v2/read-submission.js';
import { readListQuery } from '../../../src/server/gateway/v2/list-query.js';
import { refusalOf } from '../../../src/server/gateway/v2/refusal.js';
import type { ServiceError } from '../../../src/core/errors/errors.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

const workflow = { 1: { class_type: 'LoadImage', inputs: {} } };

/** Status and code of the refusal of a body; undefined where it is taken. */
const refusalOfBody = (body: unknown) => {
  const read = readSubmission(body);
  return read._tag === 'Left' ? `${read.left.status} ${read.left.code}` : undefined;
};

describe('a submission', () => {
  it('is taken with labels and the key for partner nodes, which is kept apart', () => {
    const read = readSubmission({
      workflow,
      metadata: { user: 'a b' },
      extra_data: { api_key_comfy_org: 'secret', extra_pnginfo: { a: 1 } },
    });
    expect(read).toMatchObject({
      right: {
        workflow,
        metadata: { user: 'a b' },
        partnerKey: 'secret',
        extraData: { extra_pnginfo: { a: 1 } },
      },
    });
  });

  it.each([
    ['no object', [], '400 invalid_request'],
    ['no workflow', {}, '422 invalid_workflow'],
    ['a reserved member', { workflow, webhook_url: null }, '422 invalid_workflow'],
    ['inputs', { workflow, inputs: {} }, '422 invalid_workflow'],
    ['an unknown member of extra_data', { workflow, extra_data: { a: 1 } }, '422 invalid_workflow'],
    ['a key that is no text', { workflow, extra_data: { api_key_comfy_org: 7 } }, '422 invalid_workflow'],
    ['labels that are no texts', { workflow, metadata: { a: 1 } }, '422 metadata_invalid'],
    ['a hidden character', { workflow, metadata: { a: '\u202e' } }, '422 metadata_invalid'],
    ['a long label', { workflow, metadata: { ['a'.repeat(41)]: '' } }, '422 metadata_invalid'],
    ["the editor's format", { workflow: { nodes: [], links: [] } }, '422 workflow_format_ui'],
    ['a member that is no node', { workflow: { a: 7 } }, '422 invalid_workflow'],
    ['no node at all', { workflow: {} }, '422 invalid_workflow'],
    [
      'a node whose id no address can carry',
      { workflow: { ...workflow, '\ud800': workflow[1] } },
      '422 invalid_workflow',
    ],
  ])('with %s is refused', (_, body, refusal) => {
    expect(refusalOfBody(body)).toBe(refusal);
  });

  it('is read or refused, whatever JSON it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(['Left', 'Right']).toContain(readSubmission(body)._tag);
      }),
    );
  });

  it('has a key of 1 to 255 printable characters or none', () => {
    expect(readIdempotencyKey(null)).toMatchObject({ right: undefined });
    for (const key of ['', ' ', 'a'.repeat(256), 'a\tb']) {
      expect(readIdempotencyKey(key)).toMatchObject({ left: { status: 400, code: 'invalid_request' } });
    }
  });
});

describe('a range', () => {
  it('gives the bytes that the header names, however the source is cut', async () => {
    const whole = Uint8Array.from({ length: 40 }, (_, at) => at);
    await fc.assert(
      fc.asyncProperty(fc.nat(50), fc.nat(50), fc.integer({ min: 1, max: 50 }), async (start, end, piece) => {
        const range = readRange(`bytes=${start}-${end}`, whole.length);
        if (typeof range === 'string') {
          expect(range).toBe(end < start ? 'whole' : start >= 40 ? 'unsatisfiable' : undefined);
          return;
        }
        const source = async function* () {
          for (let at = 0; at < whole.length; at += piece)
            yield await Promise.resolve(whole.subarray(at, at + piece));
        };
        const parts: number[] = [];
        for await (const part of bytesInRange(source(), range)) {
          expect(part.length).toBeGreaterThan(0);
          parts.push(...part);
        }
        expect(parts).toEqual([...whole.slice(start, end + 1)]);
      }),
    );
  });

  it.each([
    [null, 10, 'whole'],
    ['bytes=0-', 10, { start: 0, end: 9 }],
    ['bytes=-3', 10, { start: 7, end: 9 }],
    ['bytes=-30', 10, { start: 0, end: 9 }],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=0-1,3-4', 10, 'whole'],
    ['pages=0-1', 10, 'whole'],
    ['bytes=-', 10, 'whole'],
  ])('%s of %i bytes', (header, size, range) => {
    expect(readRange(header, size)).toEqual(range);
  });
});

describe('a list', () => {
  const read = (query: string) => readListQuery(new URLSearchParams(query));

  it('takes labels, words of both interfaces, a template and a cursor', () => {
    expect(read('limit=2&metadata[user]=a&status=queued,completed&template=t&cursor=c')).toMatchObject({
      right: {
        limit: 2,
        metadata: { user: 'a' },
        phase: ['submitting', 'pending', 'completed'],
        template: 't',
        cursor: 'c',
      },
    });
  });

  it.each([
    ['submitting', ['submitting']],
    ['pending', ['pending']],
    ['in_progress', ['in_progress']],
    ['completed', ['completed']],
    ['failed', ['failed', 'unknown']],
    ['cancelled', ['cancelled']],
    ['untraceable', ['untraceable']],
    ['unknown', ['unknown']],
    ['queued', ['submitting', 'pending']],
    ['running', ['in_progress']],
    ['succeeded', ['completed']],
    ['canceled', ['cancelled']],
    ['expired', ['untraceable']],
  ])('takes %s for %j', (word, phase) => {
    expect(read(`status=${word}`)).toMatchObject({ right: { phase } });
  });

  it('takes words and times in either form', () => {
    expect(
      read('text=a+cat&workflow=w&kind=3d&since=1700000000000&until=2026-11-26T10:00:00Z&template=t'),
    ).toMatchObject({
      right: {
        text: 'a cat',
        workflow: 'w',
        kind: '3d',
        since: 1_700_000_000_000,
        until: Date.UTC(2026, 10, 26, 10),
      },
    });
  });

  it.each([
    ['limit=0', 'invalid_request'],
    ['limit=x', 'invalid_request'],
    ['status=soon', 'invalid_request'],
    ['kind=picture', 'invalid_request'],
    ['since=soon', 'invalid_request'],
    ['until=', 'invalid_request'],
    [`text=${'a'.repeat(201)}`, 'invalid_request'],
    ['metadata[a b]=1', 'invalid_metadata_filter'],
    ['metadata[a]=1&metadata[b]=1&metadata[c]=1&metadata[d]=1', 'invalid_metadata_filter'],
  ])('with %s is refused', (query, code) => {
    expect(read(query)).toMatchObject({ left: { status: 400, code } });
  });
});

describe('a refusal of the service', () => {
  it('of the gateway itself is none of the caller', () => {
    const unauthorized = serviceError('Unauthorized', { message: 'the key is wrong' });
    expect(refusalOf(unauthorized)).toMatchObject({ status: 500, code: 'upstream_error' });
    expect(refusalOf(unauthorized).message).not.toContain('key');
  });

  it('names inputs and reasons by node', () => {
    const extraInfo = { input_name: 'steps' };
    const errors = [{ type: 'value_smaller_than_min', message: 'Too small', details: 'steps -1', extraInfo }];
    const nodeErrors = { 3: { classType: 'KSampler', dependentOutputs: [], errors } };
    expect(refusalOf(serviceError('BadRequest', { status: 400, nodeErrors }))).toMatchObject({
      status: 422,
      code: 'invalid_workflow',
      details: { node_errors: { 3: [{ field: 'steps', reason: 'Too small: steps -1' }] } },
    });
  });

  it.each<readonly [ServiceError, number, string]>([
    [serviceError('BadRequest', { status: 422, nodeErrors: {} }), 422, 'invalid_workflow'],
    [serviceError('BadRequest', { status: 400, nodeErrors: {} }), 422, 'invalid_workflow'],
    [serviceError('BadRequest', { status: 409, nodeErrors: {} }), 422, 'invalid_request'],
    [
      serviceError('BadRequest', { status: 422, nodeErrors: {}, errorType: 'missing_asset' }),
      422,
      'missing_asset',
    ],
    [
      serviceError('BadRequest', { status: 422, nodeErrors: {}, errorType: 'workflow_format_ui' }),
      422,
      'workflow_format_ui',
    ],
    [
      serviceError('BadRequest', { status: 422, nodeErrors: {}, errorType: 'deployment_stopped' }),
      422,
      'deployment_stopped',
    ],
    [
      serviceError('BadRequest', { status: 422, nodeErrors: {}, errorType: 'another' }),
      422,
      'invalid_workflow',
    ],
    [serviceError('InvalidWorkflow', { format: 'ui', message: 'a' }), 422, 'workflow_format_ui'],
    [serviceError('InvalidWorkflow', { format: 'unknown', message: 'a' }), 422, 'invalid_workflow'],
    [serviceError('InsufficientCredits', {}), 402, 'insufficient_credits'],
    [serviceError('SubscriptionInactive', {}), 402, 'insufficient_credits'],
    [serviceError('Forbidden', { errorType: 'PARTNER_NODE_DISABLED' }), 422, 'invalid_workflow'],
    [serviceError('Forbidden', { errorType: 'sso_required' }), 500, 'upstream_error'],
    [serviceError('QueueFull', {}), 429, 'queue_full'],
    [serviceError('RateLimited', {}), 429, 'rate_limited'],
    [serviceError('RateLimited', { errorType: 'deployment_not_ready' }), 429, 'deployment_not_ready'],
    [serviceError('TooLarge', {}), 413, 'payload_too_large'],
    [serviceError('Network', { code: 'ECONNREFUSED', sent: false }), 503, 'upstream_unreachable'],
    [serviceError('Timeout', { timeoutMs: 1, sent: true }), 503, 'upstream_unreachable'],
    [serviceError('Closed', {}), 503, 'upstream_unreachable'],
    [serviceError('Aborted', { sent: true }), 503, 'upstream_unreachable'],
    [serviceError('NotSupported', {}), 501, 'not_implemented'],
    [serviceError('ServerError', { status: 500 }), 500, 'upstream_error'],
    [serviceError('Unauthorized', {}), 500, 'upstream_error'],
  ])('is told in the words of API v2: %s', (error, status, code) => {
    expect(refusalOf(error)).toMatchObject({ status, code });
  });

  it.each<readonly [ServiceError, number]>([
    [serviceError('Network', { code: 'ECONNREFUSED', sent: false }), 2],
    [serviceError('Network', { code: 'ECONNREFUSED', sent: false, retryAfterMs: 7_000 }), 7],
    [serviceError('Timeout', { timeoutMs: 1, sent: true }), 2],
    [serviceError('Timeout', { timeoutMs: 1, sent: true, retryAfterMs: 7_000 }), 7],
    [serviceError('DownloadFailed', { filename: 'a', reason: 'it was cut' }), 2],
    [serviceError('Closed', {}), 2],
  ])("T7 says when to come again where the service can't be reached: %s", (error, retryAfterS) => {
    expect(refusalOf(error)).toMatchObject({ status: 503, code: 'upstream_unreachable', retryAfterS });
  });

  it('T7 promises nothing of a file that the service will never send', () => {
    const error = serviceError('DownloadFailed', { filename: 'a', reason: 'too large', retry: 'never' });
    expect(refusalOf(error)).toEqual({
      status: 500,
      code: 'upstream_error',
      message: 'The request of this gateway to its service failed.',
    });
  });

  it('names no input where the service names none', () => {
    const errors = [{ type: 'other', message: 'No', details: '', extraInfo: { input_name: 7 } }];
    const nodeErrors = { 3: { classType: 'KSampler', dependentOutputs: [], errors } };
    expect(refusalOf(serviceError('BadRequest', { status: 400, nodeErrors })).details).toEqual({
      node_errors: { 3: [{ field: '', reason: 'No' }] },
    });
  });

  it('asks for at least one second before the next try', () => {
    expect(refusalOf(serviceError('QueueFull', { retryAfterMs: 0 }))).toMatchObject({
      status: 429,
      code: 'queue_full',
      retryAfterS: 1,
    });
  });
});
