import { fromTaskEither } from '../core/interop/from-task-either.js';
import { accept } from './jobs/accept.js';
import { acceptedIds } from './jobs/accepted-ids.js';
import { type CallMark, recentSubmissions } from './jobs/recent-submissions.js';
import { cancelJob } from './jobs/cancel-job.js';
import { checkClientOptions, type ClientOptions } from './client-options.js';
import { clearTextRefusal } from '../core/http/clear-text.js';
import { circuitBreaker } from '../core/http/circuit-breaker.js';
import type { Client } from './client-types.js';
import { dialectOf } from './dialects/dialects.js';
import { dialectCheck } from './dialects/dialect-check.js';
import * as E from '../core/protocol/either.js';
import { existingJob, follow } from './jobs/follow.js';
import type { FileAccess } from '../core/files/file-access.js';
import { frameMemory } from './jobs/frame-memory.js';
import type { HttpConnection } from '../core/http/connection.js';
import { type JobContext, openWork } from './jobs/job-context.js';
import { jobTracker } from './jobs/tracker.js';
import { knownJobs, notingRest } from './jobs/known-jobs.js';
import { makeSecrets } from '../core/http/secrets.js';
import { readApiKey } from '../core/http/api-key.js';
import { map, mergeMap, takeWhile, throwError } from 'rxjs';
import { noDisk } from '../core/files/file-system-error.js';
import { onAbort } from '../core/interop/on-abort.js';
import { openWebSocket } from '../core/platform/web-socket.js';
import { ownHeaders } from '../core/http/own-headers.js';
import type { Platform } from '../core/platform/platform.js';
import { recordedPlatform } from '../core/socket/socket-recorder.js';
import { refusalKind } from '../core/http/retry.js';
import { readServiceUrls } from '../core/http/service-urls.js';
import { rateLimiter } from './jobs/rate-limiter.js';
import { run, type RunHooks } from './jobs/run.js';
import { runAll } from './jobs/run-all.js';
import type { ServiceError } from '../core/errors/errors.js';
import { startJob, submitRaw } from './jobs/start-job.js';
import { toTaskEither } from '../core/interop/to-task-either.js';
import { learnedIds } from './jobs/submission-ids.js';
import { lazyValidation } from './jobs/validate.js';

/** A probe of the key does not wait long: the next one follows. */
const probeWithinMs = 10_000;
/** How long the one request may take that cancels an abandoned job. */
const abandonWithinMs = 30_000;

/**
 * Wires one client to the platform of its options, or else to the runtime's own; `createClient` of each entry passes that.
 *
 * Without `files` it can download nothing, nor follow where a view redirects to. Throws `InvalidConfig` for options that
 * can't work. The key lives in this closure and nowhere else.
 */
export const createClientOn = (own: Platform, options: ClientOptions, files?: FileAccess): Client => {
  checkClientOptions(options);
  const { WebSocket } = options;
  const platform =
    options.platform ??
    (WebSocket === undefined ? own : { ...own, openSocket: openWebSocket(() => WebSocket) });
  const { lingerMs = 5_000, recordWithinMs, partnerKeyField, tier, signal, keptFrames } = options;
  const dialect = dialectOf(options.dialect);
  const { notFoundAfterMs = dialect.limits.notFoundAfterMs } = options;
  const { perSecond, burst } = dialect.limits.requestBudget;
  const urls = orThrow(readServiceUrls(options));
  /** Throws for a key that would cross a network in clear text. */
  const sendable = (apiKey: string): string => {
    const refused = dialect.usesKey ? clearTextRefusal(urls, 'the key') : undefined;
    if (refused !== undefined) throw refused;
    return apiKey;
  };
  let key = options.apiKey === undefined ? undefined : sendable(orThrow(readApiKey(options.apiKey)));
  const secrets = makeSecrets();
  if (key !== undefined) secrets.addOwnKey(key);
  const headers =
    options.headers === undefined
      ? undefined
      : ownHeaders(
          options.headers,
          dialect.http.keyHeaders,
          secrets.addHeaders,
          clearTextRefusal(urls, 'headers'),
        );

  const tape = options.record?.attach({
    clock: platform.clock,
    redact: (text) => secrets.redact(text),
  });

  const limiter = rateLimiter(platform.clock, {
    perSecond: options.requestBudget?.perSecond ?? perSecond,
    burst: options.requestBudget?.burst ?? burst,
  });
  const source = dialect.events(platform, {
    urls,
    key: () => key,
    recorded: (heard) => (tape === undefined ? heard : recordedPlatform(heard, tape)),
    record: (promptId) => {
      const read = (signal: AbortSignal) => async () =>
        E.right(await rest.history(promptId, { signal, workflow: false })());
      return limiter.permitsFor('record').pipe(mergeMap(() => fromTaskEither(read)));
    },
    headers,
    lingerMs,
    earlyBytes: keptFrames?.earlyBytes,
    maxMessageBytes: options.maxMessageBytes ?? dialect.limits.maxMessageBytes,
    redact: secrets.redact,
    redactValue: secrets.redactValue,
    greeted: () => void suspect().then((other) => other && tracker.reconcileAll()),
    refusal: async () => statusOf(await dialect.keyCheck(connection)()),
  });
  const closed = new AbortController();
  const unguarded: HttpConnection = {
    platform,
    urls,
    dialect: dialect.http,
    key: () => key,
    headers,
    redact: secrets.redact,
    redactValue: secrets.redactValue,
    redactPartnerKey: secrets.addPartnerKey,
    partnerKeyField,
    maxAnswerBytes: options.maxAnswerBytes,
    clientId: () => source.clientId,
    closed: closed.signal,
    signedFile: files?.signedFile,
    openFile: files?.openFile,
  };
  const breaker = circuitBreaker({
    clock: platform.clock,
    probe: dialect.keyCheck(unguarded, { timeoutMs: probeWithinMs }),
    checkKey: () => dialect.keyCheck(connection)(),
    isKeyAccepted: () => source.openedAt !== Infinity,
    ended: source.resume,
  });
  const connection: HttpConnection = { ...unguarded, breaker };
  const { rest, suspect } = dialectCheck(dialect, connection, dialect.rest(connection));
  const save = files?.download({ platform, view: rest.view, redact: connection.redact });
  const known = knownJobs(platform.clock);
  const ids = learnedIds(dialect.jobs, platform.uuid);
  const noting = notingRest(rest, known, dialect.jobs);
  const asking = {
    platform,
    rest: { ...noting, submit: ids.learning(noting.submit) },
    source,
  };
  const tracker = jobTracker({
    ...asking,
    limiter,
    known,
    serves: dialect.keyCheck(connection),
    queuedJobs: dialect.queuedJobs?.(connection),
    recordWithinMs,
    dialect,
    notFoundAfterMs,
  });
  const frames = frameMemory(platform.clock, keptFrames);
  const work = openWork();
  const validate = lazyValidation(rest, secrets.redactValue);
  const context: JobContext = {
    ...asking,
    dialect,
    ids,
    findSubmission: dialect.findSubmission?.(connection),
    accepted: acceptedIds(),
    tracker,
    frames,
    work,
    validate,
  };

  const recent = recentSubmissions(platform.clock);
  const hooks = (call: CallMark): RunHooks => ({
    ...recent.of(call),
    abandon: (promptId) =>
      void cancelJob(context, promptId, { timeoutMs: abandonWithinMs })().finally(work.begin()),
  });

  const resume = (): void => {
    breaker.reset();
    source.resume();
  };
  const close = async (): Promise<void> => {
    stopListening();
    closed.abort();
    breaker.close();
    source.close();
    tape?.end();
    frames.clear();
    await platform.close?.();
  };
  const stopListening = onAbort(signal, () => void close());
  if (signal?.aborted === true) void close();

  return {
    frames: source.frames,
    connection: source.states.pipe(takeWhile(({ _tag }) => _tag !== 'closed', true)),
    stops: breaker.stops,
    rest: { ...rest, submit: submitRaw(context) },
    get recent() {
      return recent.list();
    },
    get submissionIds() {
      return ids.value;
    },
    submit: (workflow, { label, ...submitOptions } = {}) =>
      toTaskEither(
        accept(context, workflow, {
          ...submitOptions,
          ...recent.of({ label }),
        }).pipe(map((accepted) => startJob(context, workflow, accepted))),
      ),
    run: (workflow, { label, ...runOptions } = {}) => run(context, hooks({ label }), workflow, runOptions),
    follow: (promptId, followOptions) => follow(context, promptId, followOptions),
    job: (promptId) => existingJob(context, promptId),
    runAll: (workflows, { tier: ownTier = tier, concurrency, label, drain, ...runOptions } = {}) =>
      runAll((workflow, call) => run(context, hooks(call), workflow, runOptions), work, workflows, {
        tier: ownTier,
        concurrency,
        label,
        drain,
      }),
    drain: work.drain,
    cancel: (promptId, callOptions) => cancelJob(context, promptId, callOptions),
    download: save ?? (() => throwError(() => noDisk())),
    resume,
    setKey: (apiKey) => {
      const before = key;
      key = sendable(orThrow(readApiKey(apiKey)));
      secrets.addOwnKey(key);
      if (key !== before && dialect.usesKey) source.reopen();
      resume();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** The status of a refusal that concerns every request of this client. */
const statusOf = (answer: E.Either<ServiceError, unknown>): number | undefined =>
  E.isLeft(answer) && refusalKind(answer.left) !== undefined ? answer.left.status : undefined;

const orThrow = <A>(checked: E.Either<ServiceError, A>): A => {
  if (E.isLeft(checked)) throw checked.left;
  return checked.right;
};
