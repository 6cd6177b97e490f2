import { backoff } from '../protocol/backoff.js';
import type { Endpoint } from '../protocol/endpoints/endpoint.js';
import type { Failure } from './failure.js';

/** What was tried already. */
export interface Tries {
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
export interface NextTry {
  readonly kind: keyof Tries;
  readonly delayMs: number;
}

/**
 * Decides whether a failed attempt is followed by another one (docs/protocol.md, chapter 3).
 *
 * Back-pressure is waited for, at most twice and 60 s each. What provably never left is sent again, at most three times.
 * What may trail and is missing is asked for three times more, in 2.6 to 4.4 s. What no attempt can bring through is not. What may have taken effect is repeated only where a second time does no harm; a
 * submission never is.
 */
export const nextTry = (
  { error, standing }: Failure,
  { repeat, method, mayTrail = false }: Pick<Endpoint<unknown>, 'repeat' | 'method' | 'mayTrail'>,
  { failed, throttled, missed }: Omit<Tries, 'refused' | 'stray'>,
  random: number,
): NextTry | undefined => {
  if (repeat === 'never' || (error._tag === 'Network' && error.retry === 'never')) return undefined;
  if (standing === 'refused' && error.status === 404 && mayTrail) {
    return missed < 3
      ? { kind: 'missed', delayMs: Math.floor(500 * 2 ** missed * (0.75 + random / 2)) }
      : undefined;
  }
  if (standing === 'refused') {
    return (error._tag === 'RateLimited' || error._tag === 'ServerError') && throttled < 2
      ? { kind: 'throttled', delayMs: Math.min(60_000, error.retryAfterMs ?? backoff(throttled, random)) }
      : undefined;
  }
  if (error._tag !== 'Network' && error._tag !== 'ServerError' && error._tag !== 'UnexpectedStatus')
    return undefined;
  const limit =
    standing === 'unsent' || (repeat === 'always' && method === 'GET') ? 3 : repeat === 'always' ? 2 : 0;
  return failed < limit ? { kind: 'failed', delayMs: backoff(failed, random) } : undefined;
};

/** A call that was refused meets so many stray pages at most. */
const mostStrays = 2;

/** Whether a call that was refused meets no further stray page. */
export const isLastStray = ({ stray }: Pick<Tries, 'stray'>): boolean => stray >= mostStrays;

/** The next try after a doubtful refusal, or after a stray page beside one: 1 s after the first, 3 s later, each ±20 %. */
export const tryRefusedAgain = (
  { refused, stray }: Pick<Tries, 'refused' | 'stray'>,
  kind: 'refused' | 'stray',
  random: number,
): NextTry | undefined =>
  kind === 'stray' && isLastStray({ stray })
    ? undefined
    : { kind, delayMs: (refused + stray === 0 ? 1000 : 3000) * (0.8 + 0.4 * random) };
