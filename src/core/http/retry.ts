import { concernsWorkflow, refusalHint } from '../errors/refusal-hints.js';
import { backoff } from '../platform/backoff.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { Failure } from './failure.js';
import type { ServiceError, ServiceErrorTag } from '../errors/errors.js';

/** How many attempts a call has made, by the reason for the next one. */
export interface Attempts {
  /** Failures of the network or the service. */
  readonly failed: number;
  /** Answers that asked to wait. */
  readonly throttled: number;
  /** For how long such answers have been waited out, in milliseconds. */
  readonly throttledMs: number;
  /** 404s of something that may appear late. */
  readonly missed: number;
  /** Refusals that have to be met again before they count. */
  readonly refused: number;
  /** Answers after such a refusal that leave open whether it stands. */
  readonly stray: number;
}

/** When the next attempt follows, and which count it adds to. */
export interface NextAttempt {
  readonly kind: Exclude<keyof Attempts, 'throttledMs'>;
  readonly delayMs: number;
}

/** No attempt has failed. */
export const noAttempts: Attempts = {
  failed: 0,
  throttled: 0,
  throttledMs: 0,
  missed: 0,
  refused: 0,
  stray: 0,
};

/** Counts the next attempt. */
export const counted = (attempts: Attempts, { kind, delayMs }: NextAttempt): Attempts => ({
  ...attempts,
  [kind]: attempts[kind] + 1,
  throttledMs: attempts.throttledMs + (kind === 'throttled' ? delayMs : 0),
});

/**
 * Decides whether a failed attempt is followed by another one (docs/protocol.md, chapter 3).
 *
 * Back-pressure is waited out, at most twice and for 60 s each, or for as long in all as the endpoint says. A request that provably
 * never left is sent again, at most three times. A 404 of something that may appear late is retried three times, within 2.6 to
 * 4.4 s. A request that may have taken effect is sent again only if it is idempotent; a submission never is.
 */
export const nextAttempt = (
  failure: Failure,
  call: RetriedCall,
  attempts: Omit<Attempts, 'refused' | 'stray'>,
  random: number,
): NextAttempt | undefined => {
  const { error, delivery } = failure;
  if (call.idempotency === 'never' || (error._tag === 'Network' && error.retry === 'never')) return undefined;
  return delivery === 'refused'
    ? afterRefusal(error, call, attempts, random)
    : afterBreak(failure, call, attempts, random);
};

type RetriedCall = Pick<Endpoint<unknown>, 'idempotency' | 'method' | 'mayAppearLate' | 'waitsOutMs'>;

/** The service answered, and has done nothing: what is missing may appear, and back-pressure may pass. */
const afterRefusal = (
  error: ServiceError,
  { mayAppearLate = false, waitsOutMs }: RetriedCall,
  { throttled, throttledMs, missed }: Pick<Attempts, 'throttled' | 'throttledMs' | 'missed'>,
  random: number,
): NextAttempt | undefined => {
  const { _tag, status, errorType, retryAfterMs } = error;
  const isLate = typeof mayAppearLate === 'function' ? mayAppearLate(errorType) : mayAppearLate;
  if (status === 404 && isLate) {
    return missed < 3
      ? { kind: 'missed', delayMs: Math.floor(500 * 2 ** missed * (0.75 + random / 2)) }
      : undefined;
  }
  if (status === 429 && waitsOutMs !== undefined) return waitOut(error, waitsOutMs - throttledMs);
  return (_tag === 'RateLimited' || _tag === 'ServerError') && throttled < 2
    ? { kind: 'throttled', delayMs: Math.min(60_000, retryAfterMs ?? backoff(throttled, random)) }
    : undefined;
};

/** No clear answer came: the request may have taken effect, unless it never left. */
const afterBreak = (
  { error, delivery }: Failure,
  { idempotency, method }: RetriedCall,
  { failed }: Pick<Attempts, 'failed'>,
  random: number,
): NextAttempt | undefined => {
  if (!passing.has(error._tag)) return undefined;
  const isRepeatable = idempotency === 'always';
  const limit = delivery === 'unsent' || (isRepeatable && method !== 'POST') ? 3 : isRepeatable ? 2 : 0;
  return failed < limit ? { kind: 'failed', delayMs: backoff(failed, random) } : undefined;
};

/** Failures that may not come again. */
const passing: ReadonlySet<ServiceErrorTag> = new Set<ServiceErrorTag>([
  'Network',
  'ServerError',
  'UnexpectedStatus',
]);

/** A full queue without a `Retry-After` is asked again after so long. */
const fullQueueMs = 2_000;
/** The least wait, even where the service asks for a shorter one. */
const shortestWaitMs = 1_000;

/** Waits as long as the service asks, but no longer than `leftMs`; any other 429 than a full queue has to ask for it. */
const waitOut = ({ _tag, retryAfterMs }: ServiceError, leftMs: number): NextAttempt | undefined => {
  const askedMs = retryAfterMs ?? (_tag === 'QueueFull' ? fullQueueMs : undefined);
  return askedMs === undefined || leftMs <= 0
    ? undefined
    : { kind: 'throttled', delayMs: Math.min(leftMs, Math.max(shortestWaitMs, askedMs)) };
};

/** So many stray pages after a refusal are retried. */
const maxStrays = 2;

/** Whether the next stray page after a refusal is not retried any more. */
export const isLastStrayPage = ({ stray }: Pick<Attempts, 'stray'>): boolean => stray >= maxStrays;

/** The next attempt after a doubtful refusal or a stray page: after 1 s the first time, then 3 s, each ±20 %. */
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
export const refusalKind = ({
  _tag,
  errorType,
}: Pick<ServiceError, '_tag' | 'errorType'>): RefusalKind | undefined =>
  concernsWorkflow(errorType)
    ? undefined
    : _tag === 'Unauthorized' || _tag === 'Forbidden'
      ? 'auth'
      : _tag === 'InsufficientCredits' || _tag === 'SubscriptionInactive'
        ? 'billing'
        : undefined;

/**
 * Whether a refusal may be a stray page of a proxy, so that the call is made again before it counts.
 *
 * A 429 without an error type of the service may be one, for a submission as well: a refused one did not run. A 401 or 403 of a
 * read may be one without an error type, and with one where the service has accepted the key before, unless it is one of the refusals
 * that say what to do.
 */
export const isDoubtful = (
  { _tag, errorType }: ServiceError,
  { idempotency }: Pick<Endpoint<unknown>, 'idempotency'>,
  isKeyAccepted: boolean,
): boolean => {
  if (idempotency === 'never') return false;
  if (_tag === 'SubscriptionInactive') return errorType === undefined;
  return (
    idempotency === 'always' &&
    refusalKind({ _tag }) === 'auth' &&
    (errorType === undefined || (isKeyAccepted && refusalHint(errorType) === undefined))
  );
};

/**
 * Whether an answer is probably not the service's own, but a page of a proxy: it leaves open whether the service accepts the key.
 *
 * A 404 counts as the service's own: it has looked for something.
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
