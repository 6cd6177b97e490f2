import { call } from './call.js';
import type { Handle } from './attempt.js';
import type { CallContext, Failure } from './failure.js';
import type { CallOptions, SubmitOptions, Withdrawal } from './rest-options.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpConnection } from './connection.js';
import { documentIn } from '../errors/seen.js';
import { largeObject } from './large-object.js';
import { readText } from './read-text.js';
import { parseJson } from '../protocol/json/parse-json.js';
import { readRefusal, refusal } from './refusal.js';
import type { RedactValue } from '../redaction/redact-value.js';
import { sampleOf } from '../redaction/redact.js';
import type { ServiceError, ServiceErrorFields } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { tooManyValues } from '../protocol/json/json.js';

/**
 * Calls an endpoint that answers JSON: `request(connection)(endpoint, options)` is a `TaskEither` that does nothing until
 * it is run, may be run again, and never rejects.
 *
 * Answers above the client's bound (`maxAnswerBytes`; else the endpoint's, 8 MiB unless it says otherwise) are `Decode`, and so are
 * those of more than a quarter of a million values. An endpoint whose answer is parsed in pieces takes more values; what it skips counts
 * for neither. Of a refusal's body 64 KiB are read.
 */
export const request =
  (connection: HttpConnection) =>
  <A>(
    endpoint: Endpoint<A>,
    options: CallOptions & Withdrawal & Pick<SubmitOptions, 'retry'> = {},
  ): TaskEither<ServiceError, A> =>
    call(connection, endpoint, options, readAnswer(connection, endpoint));

const maxJsonBytes = 8 * 1024 * 1024;

const tooLarge = (most: number): string =>
  `the answer has more than ${most} bytes, the bound of maxAnswerBytes`;
const raiseBound = 'Let larger answers be read with maxAnswerBytes of createClient.';
const noPieces = 'the answer is no JSON, has more than 64 levels, or holds too many values';
const tooDeep = 'the answer has more than 64 levels';
const tooMany = 'the answer holds more than 250,000 values';

const readAnswer =
  <A>(connection: HttpConnection, endpoint: Endpoint<A>): Handle<A> =>
  async (response, scope, context) => {
    const { status } = response;
    if (status < 200 || status > 299) {
      return E.left(await readRefusal(connection, endpoint, response, scope, context));
    }
    const { platform, redactValue, maxAnswerBytes } = connection;
    const { maxBytes = maxJsonBytes, parsedInPieces: pieces } = endpoint;
    const most = maxAnswerBytes ?? maxBytes;
    const large = pieces && largeObject({ clock: platform.clock, redactValue, pieces, most });
    const isSkipping = typeof pieces === 'function';
    const { text, isTruncated } = await readText(response, scope, {
      maxBytes: isSkipping ? Infinity : most,
      take: large?.take,
    });
    scope.release();
    const isMany = large?.hasBegun() === true || (!isTruncated && tooManyValues(text));
    const json = isMany ? await large?.end(text) : isTruncated ? undefined : parseJson(text);
    if ((isTruncated && large?.isBroken() !== true) || large?.isTooLarge() === true) {
      return E.left(unreadable(tooLarge(most), text, status, context, { hint: raiseBound }));
    }
    if (isMany && large === undefined) return E.left(unreadable(tooMany, text, status, context));
    if (json === undefined && text.trim() !== '') {
      const document = documentIn(text);
      if (document !== undefined) return E.left(page(document, text, status, context));
      const reason = isMany ? noPieces : isJson(text) ? tooDeep : 'the answer is no JSON';
      return E.left(unreadable(reason, text, status, context));
    }
    switch (endpoint.refusedAs?.(json)) {
      case 'missing':
        return E.left(refusal(connection, endpoint, { ...response, status: 404 }, text, context));
      case 'refused':
        return E.left(refusal(connection, endpoint, { ...response, status: 400 }, text, context));
      case undefined:
        return read(endpoint, json, text, status, context, isMany ? asItIs : redactValue);
    }
  };

const read = <A>(
  endpoint: Endpoint<A>,
  json: unknown,
  text: string,
  status: number,
  context: CallContext,
  redactValue: RedactValue,
): E.Either<Failure, A> => {
  const value = endpoint.read(json);
  return E.isRight(value)
    ? E.right(redactValue(value.right, text))
    : E.left(unreadable(value.left, text, status, context));
};

/** An answer that was parsed in pieces is redacted already. */
const asItIs: RedactValue = (value) => value;

/** A page in place of an answer comes from a proxy or a login: the service has not dealt with the request. */
const page = (document: string, text: string, status: number, context: CallContext): Failure => ({
  ...unreadable(`the answer is ${document}`, text, status, context, { hint: noService, retry: 'after' }),
  delivery: 'refused',
});

const noService =
  'This is not the service itself: check baseUrl, and whether a login or a proxy stands before the service; its credentials go into headers.';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const unreadable = (
  reason: string,
  text: string,
  status: number,
  { endpoint, promptId, redact }: CallContext,
  more: Pick<Partial<ServiceErrorFields>, 'hint' | 'retry'> = {},
): Failure => ({
  delivery: 'unclear',
  error: serviceError('Decode', {
    ...more,
    message: `The answer of ${endpoint} can't be read: ${redact(reason)}.`,
    endpoint,
    status,
    reason: redact(reason),
    sample: sampleOf(text, 500, redact),
    promptId,
  }),
});
