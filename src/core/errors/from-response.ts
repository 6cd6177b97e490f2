import { errorDefaults } from './error-defaults.js';
import { isJsonObject } from '../protocol/json/json.js';
import { parseJson } from '../protocol/json/parse-json.js';
import { readNodeErrors } from '../state/node-errors.js';
import { redactJson } from '../redaction/redact-value.js';
import { askedScheme, documentIn, longestSeen, redirectTarget } from './seen.js';
import { retryAfter } from './retry-after.js';
import { listedIn, refusalHint } from './refusal-hints.js';
import { sampleOf } from '../redaction/redact.js';
import type { ServiceError, ServiceErrorFields, ServiceErrorTag } from './errors.js';
import { serviceError } from './service-error.js';

/** An HTTP answer that is not a success. */
export interface RefusedResponse {
  /** `METHOD /path`, without query. */
  readonly endpoint: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, possibly cut. */
  readonly body: string;
}

/** Options of {@link errorFromResponse}. */
export interface ErrorFromResponseOptions {
  /** The current time in milliseconds since 1970, for a `Retry-After` date; default 0. */
  readonly wallMs?: number | undefined;
  /** Removes secrets from text before it is cut; default: nothing is removed. */
  readonly redact?: ((text: string) => string) | undefined;
  readonly promptId?: string | undefined;
  /** Gives the texts that replace the default ones of the error's tag, by the service's own word for the failure. */
  readonly words?:
    | ((errorType: string | undefined) => { readonly message?: string; readonly hint?: string } | undefined)
    | undefined;
  /** What a 429 is that has neither an error type nor a `Retry-After`; default `SubscriptionInactive`. */
  readonly untyped429?: 'SubscriptionInactive' | 'QueueFull' | 'RateLimited' | undefined;
  /** What a 402 is without an error type; default `InsufficientCredits`. */
  readonly untyped402?: 'InsufficientCredits' | 'Forbidden' | undefined;
}

/**
 * Makes the typed error of an answer that is not a success; total for any body.
 *
 * The service's own word (`error.type`) takes precedence over the status: a 429 is a plan refusal, a full queue or
 * back-pressure, and only the word tells them apart. Without a word and without `Retry-After` it is a plan refusal, as the
 * interface document says (docs/protocol.md, chapter 3).
 */
export const errorFromResponse = (
  { endpoint, status, headers, body }: RefusedResponse,
  {
    wallMs = 0,
    redact = (text) => text,
    promptId,
    words,
    untyped429,
    untyped402,
  }: ErrorFromResponseOptions = {},
): ServiceError => {
  const refusal = readErrorBody(body, parseJson(body));
  const type = refusal.type ?? scopeError(headers);
  const retryAfterMs = retryAfter(headers['retry-after'], wallMs);
  const clean = (text: string): string => sampleOf(text, maxSample, redact);
  const untyped =
    type !== undefined
      ? undefined
      : status === 402
        ? untyped402
        : status === 429 && retryAfterMs === undefined
          ? untyped429
          : undefined;
  const tag = untyped ?? tagOf(status, (type ?? '').toUpperCase(), retryAfterMs !== undefined);
  const fields: Partial<ServiceErrorFields> & { readonly message: string } = {
    ...textsOf({ status, headers, body }, tag, { ...refusal, type }, clean),
    endpoint,
    status,
    errorType: type && clean(type),
    retryAfterMs,
    sample: clean(body) || undefined,
    promptId,
    ...words?.(type),
  };
  return tag === 'BadRequest'
    ? serviceError('BadRequest', {
        ...fields,
        nodeErrors: redactJson(readNodeErrors(refusal.nodeErrors), redact),
      })
    : serviceError(tag, fields);
};

/** Message and hint: what the status means, what else was seen, the service's words, and where a redirect leads to. */
const textsOf = (
  { status, headers, body }: Pick<RefusedResponse, 'status' | 'headers' | 'body'>,
  tag: ResponseTag,
  { type, message }: ErrorBody,
  clean: (text: string) => string,
): { readonly message: string; readonly hint?: string } => {
  const seen = [documentIn(body, longestSeen), status === 401 ? credentialsAsked(headers) : undefined].filter(
    (what) => what !== undefined,
  );
  const target = status >= 300 && status < 400 ? redirectTarget(headers['location']) : undefined;
  const ofWord = status === 407 ? ofProxy : [400, 402, 403].includes(status) ? refusalHint(type) : undefined;
  const hint =
    ofWord ??
    (status === 401 && type === undefined && seen.length > 0
      ? byProxy
      : target === undefined
        ? undefined
        : followsNone);
  const reason = message && clean(message);
  return {
    message: messageOf(tag, [String(status), ...seen.map(clean)].join(', '), reason, target && clean(target)),
    ...(hint !== undefined && { hint }),
  };
};

const credentialsAsked = (headers: RefusedResponse['headers']): string | undefined => {
  const challenge = headers['www-authenticate'];
  return challenge === undefined ? undefined : `it asks for ${askedScheme(challenge) ?? 'credentials'}`;
};

type ResponseTag = Extract<
  ServiceErrorTag,
  | 'BadRequest'
  | 'Unauthorized'
  | 'InsufficientCredits'
  | 'SubscriptionInactive'
  | 'Forbidden'
  | 'NotFound'
  | 'TooLarge'
  | 'HashMismatch'
  | 'QueueFull'
  | 'RateLimited'
  | 'ServerError'
  | 'UnexpectedStatus'
>;

/** `word` is the service's own, in upper case; empty if it says none. */
const tagOf = (status: number, word: string, hinted: boolean): ResponseTag => {
  if (status === 429) return tagOf429(word, hinted);
  if ((status === 402 || status === 403) && isPlanWord(word)) return 'SubscriptionInactive';
  if (status === 409 && word === 'HASH_MISMATCH') return 'HashMismatch';
  if (status >= 500 && status <= 599) return 'ServerError';
  return tagByStatus.get(status) ?? 'UnexpectedStatus';
};

const tagByStatus: ReadonlyMap<number, ResponseTag> = new Map<number, ResponseTag>([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [402, 'InsufficientCredits'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [413, 'TooLarge'],
  [422, 'BadRequest'],
]);

const tagOf429 = (word: string, hinted: boolean): ResponseTag => {
  if (word === 'QUEUE_LIMIT' || word === 'QUEUE_FULL') return 'QueueFull';
  const isPlan = isPlanWord(word) || word.includes('PAYMENT') || (word === '' && !hinted);
  return isPlan ? 'SubscriptionInactive' : 'RateLimited';
};

const isPlanWord = (word: string): boolean => /SUBSCRIPTION|FREE_TIER_(?:EXHAUSTED|NOT_ALLOWED)/u.test(word);

/** Only a header names a missing scope. */
const scopeError = (headers: Readonly<Record<string, string>>): string | undefined =>
  headers['www-authenticate']?.match(/\berror="?([a-z_]+)/u)?.[1];

/** Says what was seen: what the status means, the kind of document, the service's words, where a redirect leads to. */
const messageOf = (
  tag: ResponseTag,
  seen: string,
  reason: string | undefined,
  target: string | undefined,
): string => {
  const what =
    target === undefined
      ? (meanings[tag] ?? errorDefaults[tag].message.slice(0, -1))
      : `The service redirects to ${target} in place of an answer`;
  return `${what} (${seen}${reason === undefined ? ').' : `): ${reason}`}`;
};

/** What these statuses say of themselves: of a proxy they say nothing about a key. */
const meanings: Partial<Readonly<Record<ResponseTag, string>>> = {
  Unauthorized: 'The request was refused for its credentials, or for want of them',
  Forbidden: 'The request was refused',
};

const followsNone =
  'The client follows no redirect: set baseUrl to that address if it is the service. A login page wants credentials, which headers can send.';
const ofProxy =
  'A proxy on the way wants credentials: give it as http://user:password@host:port, by the option agent or HTTPS_PROXY.';
const byProxy =
  'A proxy in front of the service may be asking: its credentials go into headers, such as Authorization. Else check the key.';

const maxSample = 500;

/** The content of a refusal's body, independent of its shape. */
export interface ErrorBody {
  /** The service's own word for the failure. */
  readonly type?: string;
  readonly message?: string;
  /** The `node_errors` member as sent, of the body or of the error's `details`. */
  readonly nodeErrors?: unknown;
}

/**
 * Reads the body of a refusal; total.
 *
 * Endpoints and deployments differ in its shape (docs/protocol.md, chapters 3 and 12.2): an `error` object, an `error` string, a
 * `code` with a `message`, a `message` alone, plain text, HTML or nothing, tried in this order. Frameworks and proxies in front of a
 * server say it in `detail`, `title` or `errors`.
 */
export const readErrorBody = (text: string, json: unknown): ErrorBody => {
  if (!isJsonObject(json)) return plain(text);
  const { error, code, node_errors: nodeErrors, error_description: more } = json;
  return isJsonObject(error)
    ? {
        type: word(error['type']) ?? word(error['code']) ?? word(code),
        message: sentence(
          sentence(error['message'], error['details']) ?? toldIn(json),
          listedIn(error, json),
        ),
        nodeErrors:
          nodeErrors ?? (isJsonObject(error['details']) ? error['details']['node_errors'] : undefined),
      }
    : {
        type: word(code),
        message: sentence(word(error) ?? toldIn(json), listedIn(json) ?? more),
        nodeErrors,
      };
};

const word = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** What the members of a body, or of an object in it, say; the first that says something counts. */
const toldIn = ({
  message,
  msg,
  detail,
  title,
  errors,
}: Readonly<Record<string, unknown>>): string | undefined =>
  word(message) ?? word(msg) ?? wordsOf(detail) ?? word(title) ?? wordsOf(errors);

/** Frameworks list what they found: texts, or objects with one. */
const wordsOf = (value: unknown): string | undefined => {
  if (!Array.isArray(value))
    return isJsonObject(value) ? (toldIn(value) ?? word(value['error'])) : word(value);
  const found = value.map(wordsOf).filter((one) => one !== undefined);
  return found.length === 0 ? undefined : found.join('; ');
};

/** The engine often puts the concrete part, a node id or the refused value, into `details` alone. */
const sentence = (message: unknown, details: unknown): string | undefined => {
  const [what, more] = [word(message), word(details)];
  return what !== undefined && more !== undefined ? `${what} (${more})` : (what ?? more);
};

/** Plain text is a message; HTML, XML and unread JSON are not. */
const plain = (text: string): ErrorBody => {
  const message = text.trim();
  return message === '' || /^[<[{]/u.test(message) ? {} : { message };
};
