import { type Either, left, right } from '../../../core/protocol/either.js';
import { fromBase64, importSecret, secretBytes, signedBytes } from './signature.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { parseExactJson } from '../../../core/protocol/json/exact-json.js';
import { realClock } from '../../../core/platform/clock.js';
import type { WebhookMessage } from './webhook-message.js';

/** Why a receiver must not trust a request. */
export interface WebhookRefused {
  /** The tag of the error. */
  readonly _tag: 'WebhookRefused';
  /**
   * What is wrong: a secret of the receiver's own, a header that is missing or none, a time too far from now, a signature that no
   * secret made, or a body that is no message.
   */
  readonly reason: 'secret' | 'headers' | 'timestamp' | 'signature' | 'body';
  /** What happened and what to do, without any secret. */
  readonly message: string;
}

/** A message whose signature is good. */
export interface VerifiedWebhook extends WebhookMessage {
  /** The same for each try of one message: a receiver that has it already answers 200 and does nothing. */
  readonly id: string;
}

/** Options of {@link verifyWebhook}. */
export interface VerifyWebhookOptions {
  /** How far the time of the message may be from now, in seconds; default 300. */
  readonly toleranceSeconds?: number;
  /** The clock, in milliseconds since 1970; default the machine's. */
  readonly now?: () => number;
}

/**
 * Verifies a message of a gateway's webhook, or of anyone who signs after Standard Webhooks, and gives what it says.
 *
 * `secrets` are those of the receiver, `whsec_…` each: one of them has to have made one of the signatures. `body` is the body as it
 * arrived, before any parser: a parsed one is refused as `body`. Resolves with Left `WebhookRefused` for anything that is not to be trusted, and never rejects.
 * Integers beyond 2^53 are `bigint`. Signatures are compared in constant time, by `crypto.subtle`, so it runs wherever the web platform does.
 *
 * @example
 * ```ts
 * import { verifyWebhook } from 'promptwire/gateway';
 *
 * const receive = async (request: Request): Promise<Response> => {
 *   const secrets = [process.env['WEBHOOK_SECRET'] ?? ''];
 *   const verified = await verifyWebhook(secrets, request.headers, await request.text());
 *   if (verified._tag === 'Left') return new Response(verified.left.message, { status: 400 });
 *   console.log(verified.right.id, verified.right.type);
 *   return new Response(null, { status: 204 });
 * };
 * ```
 */
export const verifyWebhook = async (
  secrets: readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
  options?: VerifyWebhookOptions,
): Promise<Either<WebhookRefused, VerifiedWebhook>> => {
  const raw = rawOf(body);
  if (raw === undefined) {
    return refused(
      'body',
      'Give the raw body, a text or bytes as they arrived: what a parser made of it has no signature.',
    );
  }
  try {
    return await verify(secrets, headers, raw, options);
  } catch {
    return refused('signature', 'The signature could not be checked.');
  }
};

const verify = async (
  secrets: readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { toleranceSeconds = 300, now = realClock.wall }: VerifyWebhookOptions = {},
): Promise<Either<WebhookRefused, VerifiedWebhook>> => {
  const keys = keysOf(secrets);
  if (keys === undefined) {
    return refused(
      'secret',
      'Each secret is whsec_ and 24 to 64 bytes as base64, and there is one at least.',
    );
  }
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signature = headerOf(headers, 'webhook-signature');
  if (id === undefined || signature === undefined || !/^\d{1,12}$/u.test(timestamp ?? '')) {
    return refused('headers', 'The request has no webhook-id, webhook-timestamp or webhook-signature.');
  }
  if (!(Math.abs(now() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    return refused('timestamp', 'The time of the message is too far from now: it may be a replay.');
  }
  if (!(await isSignedBy(keys, signature, signedBytes(id, timestamp ?? '', body)))) {
    return refused('signature', 'No secret made a signature of this message.');
  }
  const message = parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  return message === undefined
    ? refused('body', 'The body is no message: a JSON object with type, timestamp and data.')
    : right({ ...message, id });
};

/** The text or the bytes of a body; undefined for what a parser made of it. Programs in JavaScript may give anything. */
const rawOf = (body: unknown): string | Uint8Array | undefined => {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return body instanceof ArrayBuffer ? new Uint8Array(body) : undefined;
};

/** A web request's headers, or those of `node:http`, whose names are in lower case. */
export type WebhookHeaders =
  Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A sender that rotates has a few; a stranger's thousands are not worth the time. */
const maxSignatures = 16;

/** The bytes of all secrets; undefined without a secret, or where one is not base64. Programs in JavaScript may give anything. */
const keysOf = (secrets: unknown): readonly Uint8Array<ArrayBuffer>[] | undefined => {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const keys = all.map((secret) => (typeof secret === 'string' ? secretBytes(secret) : undefined));
  const known = keys.filter((key) => key !== undefined);
  return known.length === 0 || known.length < keys.length ? undefined : known;
};

/** Whether one of the keys made one of the signatures of a header. */
const isSignedBy = async (
  keys: readonly Uint8Array<ArrayBuffer>[],
  header: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  const signatures = header
    .split(' ', maxSignatures)
    .flatMap((text) => (text.startsWith('v1,') ? (fromBase64(text.slice(3)) ?? []) : []));
  const checks = await Promise.all(
    keys.flatMap((key) =>
      signatures.map(async (one) => crypto.subtle.verify('HMAC', await importSecret(key), one, content)),
    ),
  );
  return checks.includes(true);
};

const headerOf = (headers: WebhookHeaders | null | undefined, name: string): string | undefined => {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const value = isHeaders(headers) ? headers.get(name) : headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const isHeaders = (headers: WebhookHeaders): headers is Pick<Headers, 'get'> =>
  typeof headers['get'] === 'function';

const parse = (text: string): WebhookMessage | undefined => {
  try {
    const value = parseExactJson(text);
    if (!isJsonObject(value)) return undefined;
    const { type, timestamp, data } = value;
    return typeof type === 'string' && typeof timestamp === 'string' && isJsonObject(data)
      ? { type, timestamp, data }
      : undefined;
  } catch {
    return undefined;
  }
};

const refused = (reason: WebhookRefused['reason'], message: string): Either<WebhookRefused, never> =>
  left({ _tag: 'WebhookRefused', reason, message });
