import * as E from 'fp-ts/lib/Either.js';
import type { Endpoint } from '../../src/core/endpoints/endpoint.js';
import { expect, it } from 'vitest';
import { fakePlatform } from '../helpers/fake-platform.js';
import { canary, httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import type { HttpConnection } from '../../src/core/http/connection.js';
import { get } from '../helpers/play-call.js';
import { request } from '../../src/core/http/request.js';
import { serviceError } from '../../src/core/errors/service-error.js';

/** Asks once, over a connection with this, and gives what was sent. */
const asked = async (more: Partial<HttpConnection>, json?: string) => {
  const platform = fakePlatform(() => ({ body: 'null', headers: { 'x-request-id': 'r1' } }));
  const endpoint: Endpoint<unknown> = {
    ...get,
    ...({ method: 'POST', path: '/api/x', query: { a: '1' }, idempotency: 'never' } as const),
    headers: { range: 'bytes=0-0' },
    ...(json !== undefined && { json }),
  };
  const running = request(httpConnection(platform, more))(endpoint)();
  await platform.clock.advance(0);
  return { result: await running, requests: platform.requests, pending: platform.clock.pending() };
};

it('a request has the headers of its call before those of the program, and the key last', async () => {
  const own = { range: 'none', 'x-api-key': 'other', authorization: 'Basic x' };
  const { result, requests, pending } = await asked({ headers: () => E.right(own) }, '{}');
  expect([rightOf(result), pending]).toEqual([null, 0]);
  expect(requests).toMatchObject([
    {
      ...{ method: 'POST', url: 'http://127.0.0.1:9/api/x?a=1', json: '{}' },
      headers: {
        ...{ accept: '*/*', range: 'bytes=0-0', authorization: 'Basic x' },
        ...{ 'x-api-key': canary, 'content-type': 'application/json' },
      },
    },
  ]);
});

it('a request without a body names no type of one, and without a key no key', async () => {
  const { requests } = await asked({ key: () => undefined });
  expect(Object.keys(requests[0]!.headers).toSorted()).toEqual(['accept', 'range']);
});

it('nothing is sent where the headers of the program can’t be', async () => {
  const refused = serviceError('InvalidConfig', { option: 'headers', message: 'A header is none.' });
  const { result, requests, pending } = await asked({ headers: () => E.left(refused) });
  expect([leftOf(result), requests, pending]).toEqual([refused, [], 0]);
});

it('a logger gets the status of each answer with the service’s id of it, or why none came', async () => {
  const entries: unknown[] = [];
  const debug = (...entry: unknown[]): void => void entries.push(entry);
  const logger = { ...console, debug };
  await asked({ logger });
  const platform = { ...fakePlatform(), request: () => Promise.reject(new Error('cut')) };
  const endpoint = { method: 'GET', path: '/api/x', idempotency: 'never', read: E.right } as const;
  const { requestId } = leftOf(await request(httpConnection(platform, { logger }))(endpoint)());
  expect([entries, requestId]).toEqual([
    [
      ['POST /api/x: 200', { status: 200, ms: 0, requestId: 'r1' }],
      ['GET /api/x: no answer', { ms: 0, reason: expect.stringContaining('EUNKNOWN') as string }],
    ],
    undefined,
  ]);
});
