import assert from 'node:assert/strict';
import { Comfy } from '@comfyorg/sdk';
import { ComfyLow } from '@comfyorg/sdk/low';
import { judgeAnswer } from './judge.js';
import type { SdkTarget } from './target.js';

/** A call that the SDK made. */
export interface Call {
  readonly method: string;
  /** Path below `/api/v2`. */
  readonly path: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
  /** 0 while there is no answer. */
  status: number;
  /** The headers of the answer. */
  answered?: Headers;
}

/** The vendor's client of a target, as it is published, and the calls that it made. */
export interface SdkPlayer {
  readonly comfy: Comfy;
  /** Its lower layer: one function for each operation. */
  readonly low: ComfyLow;
  readonly calls: readonly Call[];
  /** The calls of one operation, e.g. `GET /jobs/{id}`. */
  readonly callsOf: (operation: string) => readonly Call[];
}

/** Makes the vendor's client; every JSON answer that it gets is judged by its own schemas. */
export const sdkOf = (
  { baseUrl, apiKey }: Pick<SdkTarget, 'baseUrl' | 'apiKey'>,
  { isJudged = true } = {},
): SdkPlayer => {
  const calls: Call[] = [];
  const watchedFetch: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const { method = 'GET', body } = init ?? {};
    const headers = new Headers(init?.headers);
    const path = new URL(url).pathname.replace(/^.*?\/api\/v2/u, '');
    const call: Call = { method, path, url, headers, body, status: 0 };
    calls.push(call);
    const response = await fetch(input, init);
    call.status = response.status;
    call.answered = response.headers;
    if (isJudged && isJson(response))
      judgeAnswer(method, url, response.status, await response.clone().json());
    return response;
  };
  const options = { fetch: watchedFetch, ...(apiKey === undefined ? {} : { apiKey }) };
  return {
    comfy: withBaseUrl(baseUrl, () => new Comfy(options)),
    low: new ComfyLow(baseUrl, apiKey, { fetch: watchedFetch }),
    calls,
    callsOf: (operation) =>
      calls.filter(
        ({ method, path }) =>
          operation === `${method} ${path.replace(/^(\/jobs|\/assets)\/[^/]+/u, '$1/{id}')}`,
      ),
  };
};

/** An answer that plain `fetch` got. */
export interface Raw {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON; fails where it is none. */
  readonly json: () => Record<string, unknown>;
  /** `error.code` of the envelope. */
  readonly code: () => string;
}

/** Options of {@link ask}. */
export interface AskOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another key than the target's; `null`: none. */
  readonly key?: string | null;
}

/** Calls an operation with plain `fetch`; redirects are not followed. */
export const ask = async (
  { baseUrl, apiKey }: Pick<SdkTarget, 'baseUrl' | 'apiKey'>,
  method: string,
  path: string,
  { body, headers = {}, key = apiKey ?? null }: AskOptions = {},
): Promise<Raw> => {
  const isAsItIs = body === undefined || typeof body === 'string' || body instanceof FormData;
  const url = `${baseUrl}/api/v2${path}`;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(isAsItIs ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isAsItIs ? body : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  const raw: Raw = {
    status: response.status,
    headers: response.headers,
    bytes,
    text,
    json: () => JSON.parse(text) as Record<string, unknown>,
    code: () => {
      const { error } = raw.json() as { readonly error?: { readonly code?: unknown } };
      assert.ok(typeof error?.code === 'string', `an envelope, not ${text}`);
      return error.code;
    },
  };
  if (bytes.length > 0 && isJson(response)) judgeAnswer(method, url, raw.status, raw.json());
  return raw;
};

/** Repeats `look` until it gives a value; fails after half a minute. */
export const eventually = async <A>(
  what: string,
  look: () => Promise<A | undefined> | A | undefined,
): Promise<A> => {
  const deadline = AbortSignal.timeout(30_000);
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(!deadline.aborted, `${what} within half a minute`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** The error that a call of the SDK rejects with; fails if it resolves. */
export const rejection = async <E extends Error>(
  kind: abstract new (...args: never[]) => E,
  call: () => Promise<unknown>,
): Promise<E> => {
  try {
    await call();
  } catch (error) {
    assert.ok(error instanceof kind, `${kind.name}, not ${String(error)}`);
    return error;
  }
  return assert.fail(`the call rejects with ${kind.name}`);
};

const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') === true;

/** The SDK takes its base URL from the environment, when it is made. */
const withBaseUrl = <A>(baseUrl: string, make: () => A): A => {
  const before = process.env['COMFY_BASE_URL'];
  process.env['COMFY_BASE_URL'] = baseUrl;
  try {
    return make();
  } finally {
    if (before === undefined) delete process.env['COMFY_BASE_URL'];
    else process.env['COMFY_BASE_URL'] = before;
  }
};
