import type { IncomingMessage } from 'node:http';
import { parseExact } from '../exact-json.js';

/** What every dialect reads of a request. */
export interface RequestParts {
  readonly query: URLSearchParams;
  /** The `{…}` parts of the route's path, decoded. */
  readonly params: readonly string[];
  readonly contentType: string;
  /** The body as a whole; beyond `limit` bytes what came of it by then. It is read to its end in any case. */
  readonly body: (limit: number) => Promise<Buffer | BodyTooLarge>;
  /** The body as text, which is added to the record; rejects with {@link BodyTooLarge} beyond the prompt limit. */
  readonly text: () => Promise<string>;
}

/** A body beyond the limit; `ApiRequest.text` throws it. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  readonly limit: number;
  /** The bytes that had come when the limit was passed. */
  readonly size: number;

  constructor(limit: number, size: number) {
    super(`The body is larger than ${limit} bytes.`);
    this.limit = limit;
    this.size = size;
  }
}

/** Reads the parts of a request; a text beyond `textLimit` bytes is {@link BodyTooLarge}. */
export const requestParts = (
  request: IncomingMessage,
  { url, params, textLimit, keepBody }: PartsOptions,
): RequestParts => ({
  params,
  query: url.searchParams,
  contentType: request.headers['content-type'] ?? '',
  body: (limit) => readBody(request, limit),
  text: async () => {
    const body = await readBody(request, textLimit);
    if (body instanceof BodyTooLarge) throw body;
    const text = body.toString('utf8');
    keepBody(text);
    return text;
  },
});

/** Options of {@link requestParts}. */
export interface PartsOptions {
  readonly url: URL;
  readonly params: readonly string[];
  readonly textLimit: number;
  /** Adds the text to the record. */
  readonly keepBody: (body: string) => void;
}

/**
 * Reads a request's body and throws away what is beyond the limit.
 *
 * A body of a declared length is put together as it comes: joining 100 MB at once would hold up other requests.
 */
const readBody = async (request: IncomingMessage, limit: number): Promise<Buffer | BodyTooLarge> => {
  const declared = Number(request.headers['content-length'] ?? 0);
  const whole = Buffer.allocUnsafeSlow(declared <= limit ? declared : 0);
  const chunks: Buffer[] = [];
  let size = 0;
  let tooLarge: BodyTooLarge | undefined;
  for await (const part of request) {
    const chunk = part as Buffer;
    if (size + chunk.length <= whole.length) chunk.copy(whole, size);
    else if (size + chunk.length <= limit) chunks.push(chunk);
    else chunks.length = 0;
    size += chunk.length;
    if (size > limit) tooLarge ??= new BodyTooLarge(limit, size);
  }
  if (tooLarge) return tooLarge;
  return chunks.length === 0 ? whole.subarray(0, size) : Buffer.concat(chunks);
};

/** A parsed JSON object without a prototype. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a body as a JSON object without a prototype; an empty one is `{}`, anything else is `undefined`. */
export const readJsonObject = (text: string): JsonObject | undefined => {
  if (text.trim() === '') return asJsonObject({});
  try {
    return asJsonObject(parseExact(text));
  } catch {
    return undefined;
  }
};

/** The value as an object without a prototype, if it is a JSON object. */
export const asJsonObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (Object.assign(Object.create(null) as object, value) as JsonObject)
    : undefined;

/** The bytes that a request wants, both ends inclusive. */
export type ByteRange = { readonly start: number; readonly end: number } | 'whole' | 'unsatisfiable';

/** Reads a `Range` header of one range; anything else asks for the whole. */
export const readRange = (header: string | undefined, size: number): ByteRange => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
};
