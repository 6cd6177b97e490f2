import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobState, ServiceError } from 'promptwire';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { identity, of, Subject } from 'rxjs';
import type { QueueRecord } from '../../../src/server/queue/store/job-store.js';
import { defaultRules } from '../../../src/server/queue/policy/rules.js';
import { listenTo } from '../../../src/server/queue/telemetry/channels.js';
import type { LoggedEvent } from '../../../src/server/joblog/event-log.js';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/core/platform/platform.js';
import type { AtServer, RunContext } from '../../../src/server/queue/worker/run-context.js';
import { runHeldJob } from '../../../src/server/queue/worker/run-held-job.js';
import type { SubmissionIds } from '../../../src/core/lost/submission-ids.js';
import type { TokenEnd } from '../../../src/server/queue/engine/run-tokens.js';

/** What is different from a plain job that its worker may keep. */
export interface HeldOptions {
  /** The record as the worker took it, and as it is from then on. */
  readonly record?: Partial<QueueRecord>;
  /** What the record is by the first time that the worker reads it again, and by the later times. */
  readonly later?: readonly (Partial<QueueRecord> | 'gone')[];
  /** What the service answers to submissions, in turn, the last one for ever: an id, or an error. */
  readonly answers?: readonly (string | ServiceError)[];
  readonly logged?: readonly LoggedEvent[];
  readonly hasWorkflow?: boolean | 'unreadable';
  readonly ephemeral?: boolean;
  /** What the service makes of the id of a submission; default `jobs`. */
  readonly submissionIds?: SubmissionIds;
  /** What the service answers to the deletion of the record; default that it is done. */
  readonly deleted?: ServiceError;
  /** What the job meets at its server, in a queue over servers; `watch` and `place` are plain where they are left out. */
  readonly atServer?: Partial<AtServer>;
  /** Whether the store still lets this worker write and leave. */
  readonly mayAppend?: () => boolean;
  readonly mayLeave?: () => boolean;
  readonly sink?: boolean;
  /** The timers; default none is ever due. */
  readonly after?: Clock['after'];
}

/** One job that a worker holds: what happens to it is told in `calls`, and the service's states come by `states`. */
export const heldWorld = (options: HeldOptions = {}) => {
  const { answers = ['p'], later = [], logged = [], hasWorkflow = true } = options;
  const calls: string[] = [];
  const steps: string[] = [];
  const states = new Subject<JobState>();
  const frames = new Subject<unknown>();
  const stop = new AbortController();
  let onCancel = (): void => undefined;
  let reads = 0;
  let posts = 0;
  const record: QueueRecord = {
    ...{ id: 'x', tenant: 't', priority: 0, phase: 'held', createdAt: 5 },
    ...options.record,
  };
  const own = 'own' as const;
  const log: LoggedEvent[] = [...logged];

  for (const step of ['wait', 'submit', 'run'] as const) {
    onTestFinished(
      listenTo(`promptwire:queue:${step}`, ({ error, promptId }) => {
        steps.push([step, error, promptId].filter((part) => part !== undefined).join(' '));
      }),
    );
  }

  const client = {
    submissionIds: options.submissionIds ?? 'jobs',
    connection: of({ _tag: 'closed' }),
    rest: {
      submit: () => {
        calls.push('submit');
        const answer = answers[Math.min(posts++, answers.length - 1)] ?? '';
        return typeof answer === 'string' ? TE.right({ promptId: answer }) : TE.left(answer);
      },
      // The service has each job that it is asked for.
      jobStatus: () => TE.right({}),
    },
    follow: (promptId: string) => {
      calls.push(`follow ${promptId}`);
      return states;
    },
    job: () => ({ frames }),
    delete: (promptId: string) => () => {
      calls.push(`delete ${promptId}`);
      return Promise.resolve(options.deleted ? E.left(options.deleted) : E.right({ record: true }));
    },
    cancel: (promptId: string) => () => {
      calls.push(`cancel ${promptId}`);
      return Promise.resolve(E.right(undefined));
    },
  };

  const context: RunContext = {
    ...{ queue: 'q', worker: 'w', uuid: () => own, signal: stop.signal },
    client: client as never,
    rules: { ...defaultRules, deadlineMs: 0, lagMs: 0, lookEveryMs: 0 },
    clock: { now: () => 0, wall: () => 9, after: options.after ?? (() => () => undefined) },
    pause: (ms) => {
      calls.push(`pause ${ms}`);
      return Promise.resolve();
    },
    pauseQueue: ({ _tag }) => {
      calls.push(`pause the queue: ${_tag}`);
      return Promise.resolve();
    },
    onCancel: (id, listener) => {
      calls.push(`listen ${id}`);
      onCancel = listener;
      return () => {
        calls.push('listen no more');
        onCancel = () => undefined;
      };
    },
    warn: (message) => void calls.push(`warn ${message}`),
    atServer: options.atServer && atServerOf(options.atServer, calls),
    deliver:
      options.sink === true
        ? (id) => {
            calls.push(`deliver ${id}`);
            return Promise.resolve();
          }
        : undefined,
    previews: {
      publish: (id) => {
        calls.push(`preview ${id}`);
        return Promise.resolve();
      },
    },
    log: { read: () => Promise.resolve({ events: log, gap: false }) } as never,
    queueStore: {
      append: (_: unknown, tenant: string, events: readonly LoggedEvent['event'][], final: boolean) => {
        if (options.mayAppend?.() === false) return Promise.resolve('none');
        for (const event of events) {
          const what = event.type === 'status' ? event.status.phase : event.type;
          calls.push(`log ${tenant} ${what}${final ? ', the last one' : ''}`);
          log.push({ id: String(log.length), jobId: 'x', event });
        }
        return Promise.resolve('all');
      },
      images: () => ({ put: () => Promise.resolve(true), get: () => Promise.resolve(undefined) }),
      progress: () => Promise.resolve(),
    } as never,
    store: {
      now: () => 0,
      get: () => {
        const now = later[Math.min(reads++, later.length - 1)] ?? {};
        return Promise.resolve(now === 'gone' ? undefined : { ...record, ...now });
      },
      setAside: (_: string, part: string) => {
        calls.push(`set aside ${part}`);
        return Promise.resolve(true);
      },
      workflow: () => {
        if (hasWorkflow === 'unreadable') return Promise.resolve(hasWorkflow);
        const { ephemeral } = options;
        return Promise.resolve(hasWorkflow ? { workflow: {}, extraData: undefined, ephemeral } : undefined);
      },
      leave: (_: unknown, phase: string, reason?: string, outcome?: string) => {
        if (options.mayLeave?.() === false) return Promise.resolve(false);
        calls.push(['leave', phase, outcome, reason].filter((part) => part !== undefined).join(' '));
        return Promise.resolve(true);
      },
      unclaimed: (_: string, promptIds: readonly string[]) => Promise.resolve(promptIds),
      intend: (_: unknown, intent: object) => {
        calls.push('intend');
        return Promise.resolve({ ...intent, at: 0, since: 0 });
      },
      answered: (_: string, __: string, promptId: string) => Promise.resolve(promptId),
      refused: () => Promise.resolve(),
    } as never,
  };
  const { intent, promptId } = record;
  const held = { id: 'x', fence: 1, record: { intent, promptId }, job: record };
  const run = (): Promise<TokenEnd> => runHeldJob(held, context);
  /** A state of the job by the service. */
  const state = (phase: JobState['phase'], more: Partial<JobState> = {}): JobState => ({
    ...initialJobState({ workflow: {}, promptId: 'p', phase }),
    ...more,
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { calls, steps, states, frames, state, stop, run, settled, log, askForCancel: () => onCancel() };
};

/** The server of a job, whose calls are told as well. */
const atServerOf = (given: Partial<AtServer>, calls: string[]): AtServer => ({
  place: { server: 'attic', attempt: 1 },
  refused: (why, error) => {
    calls.push(`refused ${why} ${error._tag}`);
    return Promise.resolve();
  },
  bring: (workflow) => Promise.resolve(E.right(workflow)),
  forgetRefused: () => Promise.resolve(false),
  lost: () => Promise.resolve(false),
  watch: identity,
  ...given,
});

/** A refusal of the service. */
export const refusal = (
  tag: 'RateLimited' | 'BadRequest' | 'Unauthorized' | 'Closed' | 'NotSupported',
  retryAfterMs?: number,
) =>
  serviceError(tag, {
    message: `It is ${tag}.`,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
