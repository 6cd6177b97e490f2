import { attempt, type Handle } from './attempt.js';
import {
  type Attempts,
  counted,
  type NextAttempt,
  nextAttempt,
  noAttempts,
  retryOfRefusal,
} from './retry.js';
import { type CallContext, endedError, type Failure } from './failure.js';
import type { CallOptions, SubmitOptions, Withdrawal } from './rest-options.js';
import { CallScope, type Ending } from './call-scope.js';
import type { Attempt } from './circuit-breaker.js';
import { confirmsWithinMs } from './confirmation.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpConnection } from './connection.js';
import { keyReuse } from './refusal.js';
import { pause } from './pause.js';
import { RefusalCheck } from './refusal-check.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';

/** How a call is made, see `call`. */
export type CallWay = CallOptions & Withdrawal & Pick<SubmitOptions, 'retry'>;

/** The attempts of one call: what holds the next one back, how each one fares, and what follows a failed one. */
export class CallRetries {
  private readonly connection: HttpConnection;
  private readonly endpoint: Endpoint<unknown>;
  private readonly way: CallWay;
  private readonly context: CallContext;
  private readonly startedAt: number;
  /** Absent if the call is made once, or where no breaker stands between it and the service. */
  private readonly check: RefusalCheck | undefined;
  private leftMs: number;
  private attempts: Attempts = noAttempts;
  private attempted: Attempt | undefined;

  constructor(connection: HttpConnection, endpoint: Endpoint<unknown>, way: CallWay) {
    this.connection = connection;
    this.endpoint = endpoint;
    this.way = way;
    const { timeoutMs, retry = true } = way;
    const { platform, breaker, redact } = connection;
    this.startedAt = platform.clock.wall();
    this.context = {
      endpoint: `${endpoint.method} ${endpoint.path}`,
      // A refused submission made no job, so its error names none, not even the id that the client chose.
      promptId: endpoint.promptId,
      timeoutMs: timeoutMs ?? defaultTimeoutMs,
      isRelaxed: timeoutMs === undefined,
      redact,
    };
    this.leftMs = this.context.timeoutMs;
    this.check =
      retry && breaker
        ? new RefusalCheck(breaker, endpoint, (confirmed) => this.wait(confirmsWithinMs, confirmed))
        : undefined;
  }

  /** Waits while another call confirms a refusal, and gives the error of a wait that was cut short; undefined if none does. */
  othersConfirm(): Promise<ServiceError | undefined> | undefined {
    this.check?.asksAgain();
    return this.check?.othersOver() && this.othersConfirmed(this.check);
  }

  /** The refusal that the client has met already, and that this call would meet as well. */
  knownRefusal(): ServiceError | undefined {
    const { breaker, closed } = this.connection;
    return closed?.aborted === true ? undefined : breaker?.refusal(this.endpoint);
  }

  /** Sends the request once. */
  async attempt<A>(handle: Handle<A>): Promise<E.Either<Failure, A>> {
    const { connection, endpoint, context, leftMs } = this;
    const { platform, breaker, closed } = connection;
    const { timeoutMs: patienceMs = defaultPatienceMs, signal } = this.way;
    this.attempted = breaker?.attempt(endpoint);
    const scope = new CallScope({ clock: platform.clock, timeoutMs: leftMs, patienceMs, signal, closed });
    const outcome = await attempt(connection, endpoint, scope, context, handle);
    if (E.isRight(outcome)) {
      this.attempted?.succeeded();
    } else {
      scope.release();
      this.leftMs = Math.min(context.timeoutMs, scope.leftMs());
    }
    return outcome;
  }

  /** Waits until the next attempt is due; the error of the call where none follows. */
  async failed(failure: Failure): Promise<ServiceError | undefined> {
    const { check, endpoint, attempts, attempted } = this;
    if (this.way.retry === false) return this.finalError(failure);
    const judged = attempted && (await check?.judge(attempted, failure.error, attempts));
    if (judged === 'outdated') return undefined;
    const random = this.connection.platform.random();
    const next =
      judged === undefined
        ? nextAttempt(failure, endpoint, attempts, random)
        : retryOfRefusal(attempts, judged, random);
    if (next === undefined || !this.hasTimeFor(next)) return this.finalError(failure);
    this.attempts = counted(attempts, next);
    // Where another call confirms the refusal already, this one waits for its result instead.
    if (judged !== undefined && check?.isConfirming() !== true) return undefined;
    const ending = await this.wait(next.delayMs);
    return ending && endedError(ending, failure.delivery === 'unclear' ? 'sent' : 'unsent', this.context);
  }

  /** Lets the calls go on that wait for this one. */
  end(): void {
    this.check?.end();
  }

  private async othersConfirmed(check: RefusalCheck): Promise<ServiceError | undefined> {
    const { clock } = this.connection.platform;
    for (let over = check.othersOver(); over !== undefined; over = check.othersOver()) {
      const began = clock.now();
      const ending = await this.wait(Math.min(this.leftMs, confirmsWithinMs), over);
      if (this.way.timeoutMs !== undefined) this.leftMs -= clock.now() - began;
      if (ending !== undefined) return endedError(ending, 'unsent', this.context);
      if (this.leftMs <= 0) return endedError('timeout', 'unsent', this.context);
    }
    return undefined;
  }

  /** Takes the wait before the next attempt from what is left, if it counts; false if too little is. */
  private hasTimeFor({ kind, delayMs }: NextAttempt): boolean {
    if (kind !== 'failed' && this.way.timeoutMs === undefined) return true;
    if (delayMs >= this.leftMs) return false;
    this.leftMs -= delayMs;
    return true;
  }

  private wait(timeoutMs: number, until?: Promise<void>): Promise<Exclude<Ending, 'timeout'> | undefined> {
    const { platform, closed } = this.connection;
    const { signal, withdrawal } = this.way;
    return pause({ clock: platform.clock, signal, closed, withdrawal, timeoutMs }, until);
  }

  private finalError({ error, delivery }: Failure): ServiceError {
    if (this.endpoint.idempotency !== 'submission' || delivery !== 'unclear') return error;
    return serviceError('OutcomeUnknown', {
      message: `The submission left, but whether it was accepted is unknown: ${error.message}`,
      endpoint: this.context.endpoint,
      candidates: [],
      startedAt: this.startedAt,
      status: error.status,
      errorType: error.errorType,
      sample: error.sample,
      keyUsed: error.errorType === keyReuse ? true : undefined,
    });
  }
}

const defaultTimeoutMs = 60_000;
const defaultPatienceMs = 30_000;
