import type { Refusal } from './refusal.js';
import type { Route } from './route.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** A JSON answer that no cache keeps. */
export const json = (body: unknown, status = 200, headers: HeadersInit = {}): Response => {
  const answer = new Headers(headers);
  if (!answer.has('content-type')) answer.set('content-type', 'application/json');
  answer.set('cache-control', 'no-store');
  return ofBytes(new TextEncoder().encode(writeExactJson(body)), { status, headers: answer });
};

/** What {@link ofBytes} takes besides the bytes. */
export interface BytesInit {
  readonly status?: number;
  readonly headers: Headers;
  /** Whether all answers have the same bytes, so that one that nobody reads costs no memory. */
  readonly areShared?: boolean;
}

/** An answer whose bytes are all there; {@link withBody} finds those of a large one. */
export const ofBytes = (
  bytes: Uint8Array<ArrayBuffer>,
  { status = 200, headers, areShared = false }: BytesInit,
): Response => {
  headers.set('content-length', String(bytes.byteLength));
  if (bytes.byteLength <= smallBytes) return new Response(bytes, { status, headers });
  const answer = new Response(asStream(bytes), { status, headers });
  large.set(answer, { bytes, held: areShared ? 0 : bytes.byteLength });
  return answer;
};

/** A `Response` copies bytes that it is made of, and not those of a stream. */
const asStream = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream(
    {
      pull: (controller) => {
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );

/** The bytes of a large answer, and how many of them are its own. */
export interface LargeBody {
  readonly bytes: Uint8Array;
  readonly held: number;
}

/** Fewer bytes stand in the buffers of a socket. */
const smallBytes = 64 * 1024;

const large = new WeakMap<Response, LargeBody>();

/** The answer with another body, where it is a large one. */
export const withBody = (
  answer: Response,
  bodyOf: (body: LargeBody) => ReadableStream<Uint8Array>,
): Response => {
  const body = large.get(answer);
  // Nothing else leads to the bytes once their reader has left.
  large.delete(answer);
  return body === undefined
    ? answer
    : new Response(bodyOf(body) as ReadableStream<Uint8Array<ArrayBuffer>>, answer);
};

/** How refusals are written at an address whose route is not found yet: callers that ask below `/api/v2` speak API v2. */
export const errorsAt = (path: string): Route['errors'] =>
  /\/api\/v2(?:\/|$)/u.test(path) ? 'v2' : 'problem';

/** Writes a refusal as API v2's envelope, or as problem details (RFC 9457), whose `code` is the word that programs branch on. */
export const refuse = (refusal: Refusal, errors: Route['errors']): Response =>
  errors === 'v2' ? envelope(refusal) : problem(refusal);

const envelope = (refusal: Refusal): Response => {
  const { status, code, message, details } = refusal;
  const error = { code, message, ...(details === undefined ? {} : { details }) };
  return json({ error }, status, headersOf(refusal, 'x-comfy-request-id'));
};

const problem = (refusal: Refusal): Response => {
  const { status, code, message, details } = refusal;
  return json(
    { ...details, type: 'about:blank', title: titleOf(code), status, detail: message, code },
    status,
    {
      ...headersOf(refusal, 'x-request-id'),
      'content-type': 'application/problem+json',
    },
  );
};

const headersOf = (
  { headers, retryAfterS, requestId }: Refusal,
  nameOfId: string,
): Readonly<Record<string, string>> => ({
  ...headers,
  ...(requestId !== undefined && { [nameOfId]: requestId }),
  // 0 makes some clients repeat without a pause.
  ...(retryAfterS === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterS))) }),
});

const titleOf = (code: string): string => {
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
