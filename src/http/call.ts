import { attempt, type Handle } from './attempt.js';
import { type CallContext, endedError, type Failure } from './failure.js';
import type { CallOptions, SubmitOptions, Withdrawal } from './rest-options.js';
import { CallScope, type Ending } from './call-scope.js';
import { confirmsWithinMs } from './confirmation.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpConnection } from './connection.js';
import { type Attempts, counted, nextAttempt, noAttempts, retryOfRefusal } from './retry.js';
import { keyReuse } from './refusal.js';
import { pause } from './pause.js';
import { refusalCheck } from './refusal-check.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/**
 * Runs one endpoint: attempts, the waits between them and one deadline over all of it.
 *
 * Lazy, and never rejects. The deadline is 60 s unless given, with 30 s for an answer to begin and for each piece of it, or of
 * what is sent, to follow; a given deadline replaces these, too. It is over silence: it begins anew as long as at least 1 KiB/s
 * moves. Waits that the service asked for, and those for what is still missing, count
 * only against a given one. The key goes into the header that the dialect names, to the configured origin, and nowhere else.
 *
 * A submission that left without a clear answer ends as `OutcomeUnknown`; one that was withdrawn while it waited to be sent
 * again, as `Aborted`. A refusal that may be a stray page is retried twice, over seconds, while the client's other calls wait
 * for the result. With `retry: false` the call waits for nothing and sends one request.
 */
export const call =
  <A>(
    connection: HttpConnection,
    endpoint: Endpoint<unknown>,
    options: CallOptions & Withdrawal & Pick<SubmitOptions, 'retry'>,
    handle: Handle<A>,
  ): TaskEither<ServiceError, A> =>
  async () => {
    const { timeoutMs, signal, withdrawn, retry = true } = options;
    const { platform, closed, breaker } = connection;
    const { clock } = platform;
    const startedAt = clock.wall();
    const context: CallContext = {
      endpoint: `${endpoint.method} ${endpoint.path}`,
      // A refused submission made no job, so its error names none, not even the id that the client chose.
      promptId: endpoint.promptId,
      timeoutMs: timeoutMs ?? defaultTimeoutMs,
      isRelaxed: timeoutMs === undefined,
      redact: connection.redact,
    };
    const patienceMs = timeoutMs ?? defaultPatienceMs;
    let leftMs = context.timeoutMs;
    let attempts: Attempts = noAttempts;
    const wait = (ms: number, until?: Promise<void>): Promise<Exclude<Ending, 'timeout'> | undefined> =>
      pause({ clock, signal, closed, withdrawn, timeoutMs: ms }, until);
    const check =
      retry && breaker
        ? refusalCheck(breaker, endpoint, (confirmed) => wait(confirmsWithinMs, confirmed))
        : undefined;

    /** Waits while other calls confirm a refusal. */
    const othersConfirmed = async (): Promise<Ending | undefined> => {
      for (let over = check?.othersOver(); over !== undefined; over = check?.othersOver()) {
        const began = clock.now();
        const ending = await wait(Math.min(leftMs, confirmsWithinMs), over);
        if (timeoutMs !== undefined) leftMs -= clock.now() - began;
        if (ending !== undefined) return ending;
        if (leftMs <= 0) return 'timeout';
      }
      return undefined;
    };

    try {
      for (;;) {
        check?.asksAgain();
        // Without an await where nothing confirms: the request leaves in the turn in which the call is run.
        const waited = check?.othersOver() && (await othersConfirmed());
        if (waited !== undefined) return E.left(endedError(waited, 'unsent', context));
        const refusal = closed?.aborted === true ? undefined : breaker?.refusal(endpoint);
        if (refusal !== undefined) return E.left(refusal);

        const attempted = breaker?.attempt(endpoint);
        const scope = new CallScope({ clock, timeoutMs: leftMs, patienceMs, signal, closed });
        const outcome = await attempt(connection, endpoint, scope, context, handle);
        if (E.isRight(outcome)) {
          attempted?.succeeded();
          return outcome;
        }
        scope.release();
        leftMs = Math.min(context.timeoutMs, scope.leftMs());

        const failure = outcome.left;
        if (!retry) return E.left(finalError(failure, endpoint, context, startedAt));
        const judged = attempted && (await check?.judge(attempted, failure.error, attempts));
        if (judged === 'outdated') continue;
        const next =
          judged === undefined
            ? nextAttempt(failure, endpoint, attempts, platform.random())
            : retryOfRefusal(attempts, judged, platform.random());
        const counts = next?.kind === 'failed' || timeoutMs !== undefined;
        if (next === undefined || (counts && next.delayMs >= leftMs)) {
          return E.left(finalError(failure, endpoint, context, startedAt));
        }
        if (counts) leftMs -= next.delayMs;
        attempts = counted(attempts, next);
        // Where another call confirms the refusal already, this one waits for its result instead.
        if (judged !== undefined && check?.isConfirming() !== true) continue;
        const ending = await wait(next.delayMs);
        if (ending !== undefined)
          return E.left(endedError(ending, failure.delivery === 'unclear' ? 'sent' : 'unsent', context));
      }
    } finally {
      check?.end();
    }
  };

const defaultTimeoutMs = 60_000;
const defaultPatienceMs = 30_000;

const finalError = (
  { error, delivery }: Failure,
  { idempotency }: Endpoint<unknown>,
  { endpoint }: CallContext,
  startedAt: number,
): ServiceError =>
  idempotency === 'submission' && delivery === 'unclear'
    ? serviceError('OutcomeUnknown', {
        message: `The submission left, but whether it was accepted is unknown: ${error.message}`,
        endpoint,
        candidates: [],
        startedAt,
        status: error.status,
        errorType: error.errorType,
        sample: error.sample,
        keyUsed: error.errorType === keyReuse ? true : undefined,
      })
    : error;
