import assert from 'node:assert/strict';
import type { Answer } from './answer.js';
import type { Target } from './target.js';

/** What to send besides the key. */
interface ApiRequest {
  /** Sent as JSON; a `FormData` is sent as a multipart form, and bytes as they are. */
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  /** Another key; `null` for none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request to the API, without following redirects. */
export const api = async (
  target: Target,
  method: string,
  path: string,
  request: ApiRequest = {},
): Promise<Answer> => {
  const { body, query = {}, key = target.apiKey, headers = {} } = request;
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
  const isSentAsItIs = body === undefined || body instanceof FormData || body instanceof Uint8Array;
  const payload = isSentAsItIs ? body : JSON.stringify(body);
  const sent = { method, path: `${path}${search}`, body };
  target.wire?.permit(sent);
  const answer = await fetchWhole(`${target.baseUrl}${path}${search}`, {
    method,
    headers: {
      ...(key !== null && key !== '' && { 'X-API-Key': key }),
      ...(typeof payload === 'string' && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload as BodyInit }),
  });
  target.wire?.answered(sent, answer.status, answer.bytes.subarray(0, 400).toString());
  return answer;
};

/** The same, where the answer has to have this status. */
export const expectStatus = async (
  status: number,
  target: Target,
  method: string,
  path: string,
  request?: ApiRequest,
): Promise<Answer> => {
  const answer = await api(target, method, path, request);
  const sample = answer.bytes.subarray(0, 200).toString();
  assert.equal(answer.status, status, `${method} ${path} answers ${answer.status}, not ${status}: ${sample}`);
  return answer;
};

/** One request anywhere, without following redirects; the body is read whole. */
export const fetchWhole = async (url: string, init: RequestInit): Promise<Answer> => {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    json: () => {
      try {
        return JSON.parse(bytes.toString()) as unknown;
      } catch {
        assert.fail(`${url} answers JSON, not ${bytes.subarray(0, 200).toString()}`);
      }
    },
  };
};
