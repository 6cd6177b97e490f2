import type { Attempt, CircuitBreaker } from './circuit-breaker.js';
import type { Confirmation } from './confirmation.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { type Attempts, isLastStrayPage, isStrayPage } from './retry.js';
import type { ServiceError } from '../errors/errors.js';

/** What a failed attempt asks for: a retry as `refused` or `stray`, or, where it is `outdated`, the same request at once. */
export type Judgement = 'outdated' | 'refused' | 'stray';

/** Refusals of two kinds confirm neither, up to this many. */
const maxOtherRefusals = 3;

/** One call's part in finding out whether a refusal stands. */
export class RefusalCheck {
  private readonly breaker: CircuitBreaker;
  private readonly endpoint: Endpoint<unknown>;
  private readonly wait: (confirmed: Promise<void>) => Promise<unknown>;
  private confirmation: Confirmation | undefined;
  /** The refusal that has to be met again before it counts. */
  private doubted: ServiceError | undefined;

  /** @param wait waits for the breaker, no longer than a confirmation may take */
  constructor(
    breaker: CircuitBreaker,
    endpoint: Endpoint<unknown>,
    wait: (confirmed: Promise<void>) => Promise<unknown>,
  ) {
    this.breaker = breaker;
    this.endpoint = endpoint;
    this.wait = wait;
  }

  /** Settles when the other call that confirms a refusal has ended; undefined if none does. */
  othersOver(): Promise<void> | undefined {
    return this.confirmation === undefined ? this.breaker.confirmations.over() : undefined;
  }

  /** Whether this call is the one that confirms. */
  isConfirming(): boolean {
    return this.confirmation !== undefined;
  }

  /** Says that this call is about to send again. */
  asksAgain(): void {
    this.confirmation?.asksAgain();
  }

  /** Hands a failure to the breaker, and waits while the breaker takes a confirmed one in; undefined for any other failure. */
  async judge(attempt: Attempt, error: ServiceError, attempts: Attempts): Promise<Judgement | undefined> {
    switch (attempt.failed(error, this.refusedAgain(error, attempts))) {
      case 'outdated':
        // The key has been changed meanwhile: a read is sent again with the new one.
        return this.isRead ? 'outdated' : undefined;
      case 'doubtful':
        this.begin();
        this.doubted = error;
        return 'refused';
      case 'confirmed':
        if (this.isRead) this.begin();
        await this.wait(this.breaker.confirm(error, this.endpoint));
        return undefined;
      case undefined:
        return this.judgeOther(error, attempts);
    }
  }

  /** Lets the waiting calls go on. */
  end(): void {
    this.confirmation?.end();
  }

  private get isRead(): boolean {
    return this.endpoint.idempotency === 'always';
  }

  /** Has the other calls wait for this one; a submission is confirmed by another call, which has them wait itself. */
  private begin(): void {
    this.confirmation ??= this.breaker.confirmations.begin();
  }

  private refusedAgain(error: ServiceError, { refused }: Attempts): number {
    const { doubted } = this;
    return doubted !== undefined && doubted._tag !== error._tag && refused <= maxOtherRefusals ? 0 : refused;
  }

  /** A proxy's page does not say whether the earlier refusal of a read stands; a submission may have been accepted. */
  private async judgeOther(error: ServiceError, attempts: Attempts): Promise<Judgement | undefined> {
    const { doubted } = this;
    if (!this.isRead || attempts.refused === 0 || !isStrayPage(error)) return undefined;
    // The route says nothing any more, so the breaker asks another one whether the key is refused.
    if (isLastStrayPage(attempts) && this.isConfirming() && doubted?._tag === 'Unauthorized') {
      await this.wait(this.breaker.confirm(doubted, this.endpoint));
    }
    return 'stray';
  }
}
