import { accept } from './jobs/accept.js';
import { type CallMark, recentSubmissions } from './jobs/recent-submissions.js';
import { cancelAll, cancelJob, cancelOnce } from './jobs/cancel-job.js';
import { checkClientOptions, type ClientOptions } from './client-options.js';
import { lazyGenerate } from '../generate/lazy-generate.js';
import { clientCredentials, type Credentials } from './credentials.js';
import type { Client } from './client-types.js';
import { connect, type ServiceConnection } from './connect.js';
import type { DialectStrategy } from './dialects/dialect.js';
import { dialectOf } from './dialects/dialects.js';
import * as E from '../core/protocol/either.js';
import { existingJob, follow } from './jobs/follow.js';
import type { FileAccess } from '../core/files/file-access.js';
import type { JobContext } from './jobs/job-context.js';
import { listJobs } from './jobs/list-jobs.js';
import type { MakeDurations } from './jobs/durations-of-client.js';
import { sizingUpload } from './jobs/sizing-upload.js';
import { map, takeWhile, throwError } from 'rxjs';
import { noDisk } from '../core/files/file-system-error.js';
import { notLoaded } from '../core/http/not-loaded.js';
import { onAbort } from '../core/interop/on-abort.js';
import { openJobs } from './open-jobs.js';
import { openWebSocket } from '../core/platform/web-socket.js';
import type { Platform } from '../core/platform/platform.js';
import { refuseBeforeUpload } from './jobs/ready-submission.js';
import { request } from '../core/http/request.js';
import { rateLimiter } from './jobs/rate-limiter.js';
import { readServiceUrls } from '../core/http/service-urls.js';
import { run, type RunHooks } from './jobs/run.js';
import { runAll } from './jobs/run-all.js';
import { startJob, submitRaw } from './jobs/start-job.js';
import { sentAs } from './dialects/sent-as.js';
import { toTaskEither } from '../core/interop/to-task-either.js';
import { type UnrunCalls, unrunCalls } from './unrun-calls.js';
import { withoutMember } from '../core/state/without-member.js';

/** How long the one request may take that cancels an abandoned job. */
const abandonWithinMs = 30_000;

/**
 * Wires one client to the platform of its options, or else to the runtime's own; `createClient` of each entry passes that.
 *
 * Without `files` it can download nothing, nor follow where a view redirects to; without `makeDurations` its jobs have no plan. Throws `InvalidConfig` for options that
 * can't work. The key lives in its credentials and nowhere else.
 */
export const createClientOn = (
  own: Platform,
  options: ClientOptions,
  files?: FileAccess,
  makeDurations?: MakeDurations,
): Client => {
  checkClientOptions(options);
  const platform = platformOf(own, options);
  const dialect = sentAs(dialectOf(options.dialect), options);
  const urls = E.getOrThrow(readServiceUrls(options));
  const credentials = clientCredentials(options, dialect, urls);
  const limiter = rateLimiter(platform.clock, {
    perSecond: options.requestBudget?.perSecond ?? dialect.limits.requestBudget.perSecond,
    burst: options.requestBudget?.burst ?? dialect.limits.requestBudget.burst,
  });
  const onOtherDialect = (): void => context.tracker.reconcileAll();
  const service = connect({
    options,
    platform,
    dialect,
    urls,
    credentials,
    limiter,
    files,
    onOtherDialect,
  });
  const durations = makeDurations?.(platform, options.durations);
  const unrun = unrunCalls(service.logger);
  const context = openJobs(options, { platform, dialect, credentials, limiter, service, durations, unrun });
  return unrun.counted(clientOf(options, { platform, dialect, credentials, service, context, files, unrun }));
};

const platformOf = (own: Platform, { platform, WebSocket }: ClientOptions): Platform =>
  platform ?? (WebSocket === undefined ? own : { ...own, openSocket: openWebSocket(() => WebSocket) });

/** The public members, over the parts. */
const clientOf = (
  { tier, signal }: ClientOptions,
  { platform, dialect, credentials, service, context, files, unrun }: ClientParts,
): Client => {
  const { source, connection } = service;
  const { work, frames, ids, durations } = context;
  // What jobs alone call is no part of the client.
  const calls = withoutMember(withoutMember(service.rest, 'cancelJob'), 'jobsApi');
  const rest =
    durations === undefined ? calls : { ...calls, uploadImage: sizingUpload(calls.uploadImage, durations) };
  const recent = recentSubmissions(platform.clock);
  const hooks = (call: CallMark): RunHooks => ({
    ...recent.of(call),
    abandon: (promptId) =>
      void cancelOnce(context, promptId, { timeoutMs: abandonWithinMs })().finally(work.begin()),
  });

  const close = async (): Promise<void> => {
    stopListening();
    unrun.report();
    service.close();
    frames.clear();
    await platform.close?.();
  };
  const stopListening = onAbort(signal, () => void close());
  if (signal?.aborted === true) void close();

  const runOne: Client['run'] = (workflow, { label, ...runOptions } = {}) =>
    run(context, hooks({ label }), workflow, runOptions);
  const download: Client['download'] =
    files?.download({ platform, view: rest.view, redact: connection.redact }) ??
    (() => throwError(() => noDisk()));
  return {
    frames: source.frames,
    connection: source.states.pipe(takeWhile(({ _tag }) => _tag !== 'closed', true)),
    stops: service.stops,
    rest: unrun.counted({ ...rest, submit: submitRaw(context) }, 'rest.'),
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
    run: runOne,
    generate: lazyGenerate(async () => {
      const { clientGenerate } = await import('./generate.js');
      const refuse = refuseBeforeUpload(context);
      return clientGenerate({ rest, run: runOne, refuse, download }, files && platform.files);
    }),
    follow: (promptId, followOptions) => follow(context, promptId, followOptions),
    job: (promptId, jobOptions) => existingJob(context, promptId, jobOptions),
    runAll: (workflows, { tier: ownTier = tier, concurrency, label, drain, ...runOptions } = {}) =>
      runAll((workflow, call) => run(context, hooks(call), workflow, runOptions), work, workflows, {
        tier: ownTier,
        concurrency,
        label,
        drain,
      }),
    drain: work.drain,
    preflight: (workflow, preflightOptions) => async () => {
      const loaded = await import('./preflight/preflight.js').catch(notLoaded);
      return 'preflight' in loaded
        ? loaded.preflight(
            {
              ask: (endpoint, options) => request(connection)(endpoint, options)(),
              redactValue: connection.redactValue,
              rest,
              clock: connection.platform.clock,
            },
            workflow,
            preflightOptions,
          )
        : E.left(loaded);
    },
    jobs: (jobsOptions) => listJobs(context.listJobs, jobsOptions),
    cancel: (promptId, callOptions) => cancelJob(context, promptId, callOptions),
    cancelAll: (promptIds, callOptions) => cancelAll(context, promptIds, callOptions),
    delete: (what, { promptId, ...callOptions } = {}) =>
      typeof what === 'string'
        ? context.deleting.job(what, callOptions)
        : context.deleting.file(what, { ...callOptions, promptId }),
    download,
    resume: service.resume,
    setKey: (apiKey) => {
      const isOther = credentials.setKey(apiKey);
      if (isOther && dialect.usesKey) source.reopen();
      service.resume();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** What a client is made of. */
interface ClientParts {
  readonly platform: Platform;
  readonly dialect: DialectStrategy;
  readonly credentials: Credentials;
  readonly service: ServiceConnection;
  readonly context: JobContext;
  readonly files: FileAccess | undefined;
  readonly unrun: UnrunCalls;
}
