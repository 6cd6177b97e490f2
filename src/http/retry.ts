import { backoff } from '../platform/backoff.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { Failure } from './failure.js';
import type { ServiceError, ServiceErrorTag } from '../errors/errors.js';

/** What was tried already. */
export interface Attempts {
  /** After a failure of network or service. */
  readonly failed: number;
  /** After the service asked to wait. */
  readonly throttled: number;
  /** After what was asked for was not there. */
  readonly missed: number;
  /** After a refusal that has to be met again before it counts. */
  readonly refused: number;
  /** After such a refusal, and then an answer that left open whether it stands. */
  readonly stray: number;
}

/** The next try: when, and counted as what. */
export interface NextAttempt {
  readonly kind: keyof Attempts;
  readonly delayMs: number;
}

/**
 * Decides whether a failed attempt is followed by another one (docs/protocol.md, chapter 3).
 *
 * Back-pressure is waited for, at most twice and 60 s each. What provably never left is sent again, at most three times.
 * What may trail and is missing is asked for three times more, in 2.6 to 4.4 s. What no attempt can bring through is not. What may have taken effect is repeated only where a second time does no harm; a
 * submission never is.
 */
export const nextAttempt = (
  { error, delivery }: Failure,
  {
    idempotency,
    method,
    mayAppearLate = false,
  }: Pick<Endpoint<unknown>, 'idempotency' | 'method' | 'mayAppearLate'>,
  { failed, throttled, missed }: Omit<Attempts, 'refused' | 'stray'>,
  random: number,
): NextAttempt | undefined => {
  if (idempotency === 'never' || (error._tag === 'Network' && error.retry === 'never')) return undefined;
  if (delivery === 'refused' && error.status === 404 && mayAppearLate) {
    return missed < 3
      ? { kind: 'missed', delayMs: Math.floor(500 * 2 ** missed * (0.75 + random / 2)) }
      : undefined;
  }
  if (delivery === 'refused') {
    return (error._tag === 'RateLimited' || error._tag === 'ServerError') && throttled < 2
      ? { kind: 'throttled', delayMs: Math.min(60_000, error.retryAfterMs ?? backoff(throttled, random)) }
      : undefined;
  }
  if (error._tag !== 'Network' && error._tag !== 'ServerError' && error._tag !== 'UnexpectedStatus')
    return undefined;
  const limit =
    delivery === 'unsent' || (idempotency === 'always' && method === 'GET')
      ? 3
      : idempotency === 'always'
        ? 2
        : 0;
  return failed < limit ? { kind: 'failed', delayMs: backoff(failed, random) } : undefined;
};

/** A call that was refused meets so many stray pages at most. */
const mostStrays = 2;

/** Whether a call that was refused meets no further stray page. */
export const isLastStrayPage = ({ stray }: Pick<Attempts, 'stray'>): boolean => stray >= mostStrays;

/** The next try after a doubtful refusal, or after a stray page beside one: 1 s after the first, 3 s later, each ±20 %. */
export const retryOfRefusal = (
  { refused, stray }: Pick<Attempts, 'refused' | 'stray'>,
  kind: 'refused' | 'stray',
  random: number,
): NextAttempt | undefined =>
  kind === 'stray' && isLastStrayPage({ stray })
    ? undefined
    : { kind, delayMs: (refused + stray === 0 ? 1000 : 3000) * (0.8 + 0.4 * random) };

/** What a refusal concerns: the key, or the account's plan and credits. */
export type RefusalKind = 'auth' | 'billing';

/** The kind of a refusal that may concern everything this client asks for; undefined for any other failure. */
export const refusalKind = ({ _tag }: Pick<ServiceError, '_tag'>): RefusalKind | undefined =>
  _tag === 'Unauthorized' || _tag === 'Forbidden'
    ? 'auth'
    : _tag === 'InsufficientCredits' || _tag === 'SubscriptionInactive'
      ? 'billing'
      : undefined;

/**
 * Whether a refusal may be a stray page of a proxy, so that the call is made again before it counts.
 *
 * A 429 without the service's own word may be, of a submission as well: what was refused so did not run. A 401 or 403 of a
 * read may be without such a word, and with one where the service has accepted the key before.
 */
export const isDoubtful = (
  { _tag, errorType }: ServiceError,
  { idempotency }: Pick<Endpoint<unknown>, 'idempotency'>,
  isKeyAccepted: boolean,
): boolean => {
  if (idempotency === 'never') return false;
  if (_tag === 'SubscriptionInactive') return errorType === undefined;
  return (
    idempotency === 'always' && refusalKind({ _tag }) === 'auth' && (errorType === undefined || isKeyAccepted)
  );
};

/**
 * Whether an answer is no word of the service, as a page of a proxy is none: it leaves open whether the service accepts the key.
 *
 * A 404 is the service's own: it looked for something.
 */
export const isStrayPage = ({ _tag, errorType }: ServiceError): boolean =>
  errorType === undefined && strays.has(_tag);

const strays: ReadonlySet<ServiceErrorTag> = new Set<ServiceErrorTag>([
  'BadRequest',
  'UnexpectedStatus',
  'ProtocolChanged',
  'Decode',
  'TooLarge',
]);
