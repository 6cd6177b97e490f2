import type { Attempt, CircuitBreaker } from './circuit-breaker.js';
import type { Confirmation } from './confirmation.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { type Attempts, isLastStrayPage, isStrayPage } from './retry.js';
import type { ServiceError } from '../errors/errors.js';

/** What a failed attempt asks for: a retry as `refused` or `stray`, or, where it is `outdated`, the same request at once. */
export type Judgement = 'outdated' | 'refused' | 'stray';

/** One call's part in finding out whether a refusal stands. */
export interface RefusalCheck {
  /** Settles when the other call that confirms a refusal has ended; undefined if none does. */
  readonly othersOver: () => Promise<void> | undefined;
  /** Whether this call is the one that confirms. */
  readonly isConfirming: () => boolean;
  /** Says that this call is about to send again. */
  readonly asksAgain: () => void;
  /** Hands a failure to the breaker, and waits while the breaker takes a confirmed one in; undefined for any other failure. */
  readonly judge: (
    attempt: Attempt,
    error: ServiceError,
    attempts: Attempts,
  ) => Promise<Judgement | undefined>;
  /** Lets the waiting calls go on. */
  readonly end: () => void;
}

/** Refusals of two kinds confirm neither, up to this many. */
const maxOtherRefusals = 3;

/**
 * Makes the {@link RefusalCheck} of one call.
 *
 * @param wait waits for the breaker, no longer than a confirmation may take
 */
export const refusalCheck = (
  breaker: CircuitBreaker,
  endpoint: Endpoint<unknown>,
  wait: (confirmed: Promise<void>) => Promise<unknown>,
): RefusalCheck => {
  const isRead = endpoint.idempotency === 'always';
  let confirmation: Confirmation | undefined;
  /** The refusal that has to be met again before it counts. */
  let doubted: ServiceError | undefined;

  /** Has the other calls wait for this one; a submission is confirmed by another call, which has them wait itself. */
  const begin = (): void => {
    confirmation ??= breaker.confirmations.begin();
  };
  const refusedAgain = (error: ServiceError, { refused }: Attempts): number =>
    doubted !== undefined && doubted._tag !== error._tag && refused <= maxOtherRefusals ? 0 : refused;

  /** A proxy's page does not say whether the earlier refusal of a read stands; a submission may have been accepted. */
  const judgeOther = async (error: ServiceError, attempts: Attempts): Promise<Judgement | undefined> => {
    if (!isRead || attempts.refused === 0 || !isStrayPage(error)) return undefined;
    // The route says nothing any more, so the breaker asks another one whether the key is refused.
    if (isLastStrayPage(attempts) && confirmation !== undefined && doubted?._tag === 'Unauthorized') {
      await wait(breaker.confirm(doubted, endpoint));
    }
    return 'stray';
  };

  return {
    othersOver: () => (confirmation === undefined ? breaker.confirmations.over() : undefined),
    isConfirming: () => confirmation !== undefined,
    asksAgain: () => confirmation?.asksAgain(),
    judge: async (attempt, error, attempts) => {
      switch (attempt.failed(error, refusedAgain(error, attempts))) {
        case 'outdated':
          // The key has been changed meanwhile: a read is sent again with the new one.
          return isRead ? 'outdated' : undefined;
        case 'doubtful':
          begin();
          doubted = error;
          return 'refused';
        case 'confirmed':
          if (isRead) begin();
          await wait(breaker.confirm(error, endpoint));
          return undefined;
        case undefined:
          return judgeOther(error, attempts);
      }
    },
    end: () => confirmation?.end(),
  };
};
