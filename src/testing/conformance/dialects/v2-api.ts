import type { Answer } from '../answer.js';
import { api } from '../api.js';
import assert from 'node:assert/strict';
import { object, text } from '../shape.js';
import type { Target } from '../target.js';

/** A JSON object of API v2. */
export type Doc = Readonly<Record<string, unknown>>;

/** What to send to API v2. */
interface V2Request {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request below /api/v2, with the key as a bearer. */
export const v2 = (
  target: Target,
  method: string,
  path: string,
  { key = target.apiKey, body, headers = {} }: V2Request = {},
): Promise<Answer> =>
  api(target, method, `/api/v2${path}`, {
    key: null,
    ...(body !== undefined && { body }),
    headers: { ...headers, ...(key !== null && { Authorization: `Bearer ${key}` }) },
  });

/** The error of a refusal (V.2.1). */
export const errorOf = (answer: Answer): Doc => object(object(answer.json(), 'the error')['error'], 'error');

/** Checks that it is a refusal with this status and one of these codes. */
export const expectError = (answer: Answer, status: number, ...codes: readonly string[]): void => {
  assert.equal(answer.status, status, `it answers ${answer.status}, not ${status}`);
  const code = text(errorOf(answer)['code'], 'code');
  assert.ok(codes.includes(code), `${codes.join(' or ')}, not ${code}`);
};

/** The id of a job and of an asset that nobody has. */
export const unknownId = '00000000-0000-4000-8000-000000000000';
