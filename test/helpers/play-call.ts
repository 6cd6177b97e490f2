import * as E from 'fp-ts/lib/Either.js';
import type { HttpConnection } from '../../src/core/http/connection.js';
import { request } from '../../src/core/http/request.js';
import type { SubmitOptions } from '../../src/core/http/rest.js';
import type { Endpoint } from '../../src/core/endpoints/endpoint.js';
import type { TransportFailure } from '../../src/core/platform/platform.js';
import { fakePlatform } from './fake-platform.js';
import { canary, httpConnection } from './http-connection.js';

/** A question that may be asked again. */
export const get: Endpoint<unknown> = {
  method: 'GET',
  path: '/api/queue',
  idempotency: 'always',
  read: (json) => (json === 'bad' ? E.left('it is bad') : E.right(json)),
};

/** What may be sent once. */
export const submit: Endpoint<unknown> = {
  ...get,
  method: 'POST',
  path: '/api/prompt',
  json: '{}',
  idempotency: 'submission',
};

/** A request that the network failed; its words quote the key. */
export const failure = (code: string, sent: boolean): TransportFailure => ({
  code,
  message: `${code} ${canary}`,
  sent,
});

/** What a request meets. */
export type Step =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | TransportFailure
  /** What a platform rejects with that does not keep to its words. */
  | Error
  | 'hang';

/** Plays the steps one after the other, the last one for ever, and lets time pass until the call is over. */
export const play = async (
  steps: readonly Step[],
  endpoint: Endpoint<unknown> = get,
  options: SubmitOptions = {},
  more: Partial<HttpConnection> = {},
) => {
  const platform = fakePlatform((asked) => {
    const step = steps[Math.min(platform.requests.length, steps.length) - 1];
    if (step === undefined || step === 'hang') {
      return new Promise((_, reject) => {
        asked.signal?.addEventListener('abort', () => reject(asked.signal?.reason as Error));
      });
    }
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a platform rejects with plain objects
    return step instanceof Error || 'code' in step ? Promise.reject(step) : step;
  });
  const running = request(httpConnection(platform, more))(endpoint, options)();
  const before = platform.clock.now();
  let settledAt = 0;
  void running.then(() => {
    settledAt = platform.clock.now();
  });
  await platform.clock.advance(400_000);
  const result = await running;
  return { result, platform, requests: platform.requests, tookMs: settledAt - before };
};
