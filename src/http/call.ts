import { type CallContext, endedError, type Failure, failureOf } from './failure.js';
import type { CallOptions, Withdrawal } from './rest.js';
import { CallScope, pause } from './call-scope.js';
import { type Confirmation, confirmsWithinMs } from './confirmation.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpConnection } from './connection.js';
import type { HttpRequest, HttpResponse } from '../platform/platform.js';
import { isLastStrayPage, nextAttempt, isStrayPage, type Attempts, retryOfRefusal } from './retry.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Makes a value of an answer; it owns the scope from then on and releases it. */
export type Handle<A> = (
  response: HttpResponse,
  scope: CallScope,
  context: CallContext,
) => Promise<E.Either<Failure, A>>;

/**
 * Runs one endpoint: attempts, the waits between them and one deadline over all of it.
 *
 * Lazy, and never rejects. The deadline is 60 s unless given, with 30 s for an answer to begin and for each piece of it to
 * follow; one that is given holds for these, too. Waits that the service asked for, and those for what is still missing,
 * count only against a given one. The key goes into the `X-API-Key` header, to the configured origin, and nowhere else. A submission that left
 * without a clear answer ends as `OutcomeUnknown`; one that was withdrawn while it waited to be sent again, as `Aborted`.
 * A refusal that may be a stray page is asked again twice, over seconds, while the client's other calls wait for the outcome.
 */
export const call =
  <A>(
    connection: HttpConnection,
    endpoint: Endpoint<unknown>,
    options: CallOptions & Withdrawal,
    handle: Handle<A>,
  ): TaskEither<ServiceError, A> =>
  async () => {
    const { timeoutMs, signal } = options;
    const { platform, closed, breaker } = connection;
    const { clock } = platform;
    const startedAt = clock.wall();
    const context: CallContext = {
      endpoint: `${endpoint.method} ${endpoint.path}`,
      // A submission that was refused made no job, whatever id it was to have.
      promptId: endpoint.idempotency === 'submission' ? undefined : endpoint.promptId,
      timeoutMs: timeoutMs ?? defaultTimeoutMs,
      redact: connection.redact,
    };
    const waits = { clock, signal, closed, withdrawn: options.withdrawn };
    let budgetMs = context.timeoutMs;
    let tries: Attempts = { failed: 0, throttled: 0, missed: 0, refused: 0, stray: 0 };
    let confirming: Confirmation | undefined;
    let doubted: ServiceError | undefined;
    try {
      for (;;) {
        confirming?.asksAgain();
        // While another call confirms a refusal, this one waits for what it finds.
        for (
          let over = confirming === undefined ? breaker?.confirmations.over() : undefined;
          over !== undefined;
          over = breaker?.confirmations.over()
        ) {
          const began = clock.now();
          const ending = await pause({ ...waits, timeoutMs: Math.min(budgetMs, confirmsWithinMs) }, over);
          if (timeoutMs !== undefined) budgetMs -= clock.now() - began;
          if (ending !== undefined || budgetMs <= 0) {
            return E.left(endedError(ending ?? 'timeout', false, context));
          }
        }
        const refusal = closed?.aborted === true ? undefined : breaker?.refusal(endpoint);
        if (refusal !== undefined) return E.left(refusal);
        const began = clock.now();
        const attempted = breaker?.attempt(endpoint);
        const patienceMs = timeoutMs ?? defaultPatienceMs;
        const scope = new CallScope({ clock, timeoutMs: budgetMs, patienceMs, signal, closed });
        const outcome = await attempt(connection, endpoint, scope, context, handle);
        if (E.isRight(outcome)) {
          attempted?.succeeded();
          return outcome;
        }
        scope.release();
        budgetMs -= clock.now() - began;
        const failure = outcome.left;
        // Refusals of two kinds confirm neither, unless they go on.
        const isOther = doubted !== undefined && doubted._tag !== failure.error._tag;
        const refusals = isOther && tries.refused <= mostOtherRefusals ? 0 : tries.refused;
        const verdict = attempted?.failed(failure.error, refusals);
        // A read that was refused for a key which has been changed meanwhile is asked with the new one.
        if (verdict === 'outdated' && endpoint.idempotency === 'always') continue;
        // A submission is confirmed by another call, which has the others wait itself.
        if (verdict === 'doubtful' || (verdict === 'confirmed' && endpoint.idempotency === 'always')) {
          confirming ??= breaker?.confirmations.begin();
        }
        if (verdict === 'confirmed') {
          await pause({ ...waits, timeoutMs: confirmsWithinMs }, breaker?.confirm(failure.error, endpoint));
        }
        // A page of a proxy does not say whether the refusal of a read before it stands; a submission may have been accepted.
        const isStray =
          endpoint.idempotency === 'always' &&
          verdict === undefined &&
          tries.refused > 0 &&
          isStrayPage(failure.error);
        const again = verdict === 'doubtful' ? 'refused' : isStray ? 'stray' : undefined;
        if (verdict === 'doubtful') doubted = failure.error;
        // Where its own route says nothing any more, another one is asked whether the key is refused.
        if (
          isStray &&
          isLastStrayPage(tries) &&
          confirming !== undefined &&
          doubted?._tag === 'Unauthorized'
        ) {
          await pause({ ...waits, timeoutMs: confirmsWithinMs }, breaker?.confirm(doubted, endpoint));
        }
        const next =
          again === undefined
            ? nextAttempt(failure, endpoint, tries, platform.random())
            : retryOfRefusal(tries, again, platform.random());
        const counts = next?.kind === 'failed' || timeoutMs !== undefined;
        if (next === undefined || (counts && next.delayMs >= budgetMs)) {
          return E.left(finalError(failure, endpoint, context, startedAt));
        }
        if (counts) budgetMs -= next.delayMs;
        tries = { ...tries, [next.kind]: tries[next.kind] + 1 };
        // Where another call confirms the refusal already, this one waits for what it finds.
        if (again !== undefined && confirming === undefined) continue;
        const ending = await pause({ ...waits, timeoutMs: next.delayMs });
        if (ending !== undefined) return E.left(endedError(ending, failure.delivery === 'unclear', context));
      }
    } finally {
      confirming?.end();
    }
  };

const mostOtherRefusals = 3;
const defaultTimeoutMs = 60_000;
const defaultPatienceMs = 30_000;

const attempt = async <A>(
  connection: HttpConnection,
  endpoint: Endpoint<unknown>,
  scope: CallScope,
  context: CallContext,
  handle: Handle<A>,
): Promise<E.Either<Failure, A>> => {
  let sent = false;
  try {
    if (scope.ending() !== undefined) return E.left(failureOf(undefined, scope, false, context));
    const onSent = (): void => {
      sent = true;
    };
    const answer = connection.platform.request(requestOf(connection, endpoint, scope, onSent));
    // What is uploaded has to be there before an answer can begin. Each microsecond before a request leaves is waited for.
    scope.patient(endpoint.form === undefined ? undefined : Infinity);
    const response = await scope.race(answer, giveUp);
    sent = true;
    return await handle(response, scope, context);
  } catch (cause) {
    return E.left(failureOf(cause, scope, sent, context));
  }
};

const giveUp = (late: HttpResponse): void => late.discard();

const requestOf = (
  connection: HttpConnection,
  { method, path, query, json, form, streamed }: Endpoint<unknown>,
  scope: CallScope,
  onSent: () => void,
): HttpRequest => {
  const key = connection.key();
  const headers: Record<string, string> = { accept: '*/*' };
  if (json !== undefined) headers['content-type'] = 'application/json';
  if (key !== undefined) Object.assign(headers, connection.dialect.authHeaders(key));
  return {
    method,
    url: connection.urls.api(path, query),
    headers,
    json,
    form,
    streamed,
    onSent,
    signal: scope.signal,
  };
};

const finalError = (
  { error, delivery }: Failure,
  { idempotency, promptId }: Endpoint<unknown>,
  { endpoint }: CallContext,
  startedAt: number,
): ServiceError =>
  idempotency === 'submission' && delivery === 'unclear'
    ? serviceError('OutcomeUnknown', {
        message: `The submission left, but whether it was accepted is unknown: ${error.message}`,
        endpoint,
        candidates: promptId === undefined ? [] : [promptId],
        startedAt,
        status: error.status,
        errorType: error.errorType,
        sample: error.sample,
      })
    : error;
