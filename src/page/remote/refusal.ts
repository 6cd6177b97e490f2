import { answeredId } from '../../core/log/request-id.js';
import type { CallErrorTag } from '../../core/errors/call-error-defaults.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { askedScheme, documentIn, plainWords } from '../../core/errors/seen.js';
import { readNodeErrors } from '../../core/state/node-errors.js';
import { retryAfter } from '../../core/errors/retry-after.js';
import { callError } from '../../core/errors/call-error.js';

/** Makes the typed error of an answer of the gateway that is no success; `promptId` is the job that a lost submission may be. */
export const refusalOf = async (
  response: Response,
  endpoint: string,
  wallMs: number,
): Promise<ServiceError> => {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const { code, message, details } = readRefusal(text);
  const challenge = status === 401 ? headers.get('www-authenticate') : null;
  const scheme = challenge === null ? undefined : askedScheme(challenge);
  const isAsking = code === undefined && scheme !== undefined && scheme.toLowerCase() !== 'bearer';
  const said = [
    message ?? documentIn(text) ?? plainWords(text),
    isAsking ? `it asks for ${scheme}` : undefined,
  ]
    .filter((what) => what !== undefined)
    .join(', ');
  const fields = {
    endpoint,
    status,
    requestId: answeredId((name) => headers.get(name)),
    errorType: code,
    message: `The gateway refused the request (${status}${said === '' ? '' : `: ${said}`}).`,
    promptId: textOf(details['job_id']),
    retryAfterMs: retryAfter(headers.get('retry-after') ?? undefined, wallMs),
  };
  const { problems } = details;
  if (code === 'invalid_inputs' && Array.isArray(problems)) {
    return callError('InvalidInputs', { ...fields, problems });
  }
  const tag = tagOf(status, code);
  return tag === 'BadRequest'
    ? callError(tag, { ...fields, nodeErrors: readNodeErrors(details['node_errors']) })
    : callError(tag, { ...fields, ...(tag === 'Unauthorized' && (isAsking ? byProxy : unauthorized)) });
};

const unauthorized = {
  hint: 'Give a token that the gateway accepts.',
};

/** The gateway takes tokens only. */
const byProxy = {
  hint: 'A proxy before the gateway may be asking: sign in there, or send its credentials by `headers`.',
};

/** What a refusal says: problem details, or the envelope of API v2. */
const readRefusal = (
  text: string,
): {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly details: Members;
} => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  if (!isJsonObject(body)) return { details: {} };
  const { error } = body;
  const { code, message, details } = isJsonObject(error)
    ? error
    : { ...body, message: body['detail'], details: body };
  return { code: textOf(code), message: textOf(message), details: isJsonObject(details) ? details : {} };
};

type Members = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The errors that an answer can become: all errors of a call except those without an answer. */
type RefusalTag = Exclude<
  CallErrorTag,
  'Network' | 'Closed' | 'Decode' | 'OutcomeUnknown' | 'InvalidInputs' | 'InvalidConfig'
>;

const tagOf = (status: number, code: string | undefined): RefusalTag => {
  if (code === 'queue_full') return 'QueueFull';
  if (code === 'hash_mismatch') return 'HashMismatch';
  return tags[status] ?? (status > 501 && status < 600 ? 'ServerError' : 'UnexpectedStatus');
};

const tags: Readonly<Record<number, RefusalTag>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'InsufficientCredits',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'BadRequest',
  413: 'TooLarge',
  422: 'BadRequest',
  429: 'RateLimited',
  500: 'ServerError',
  501: 'NotSupported',
};
