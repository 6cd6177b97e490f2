import * as E from 'fp-ts/lib/Either.js';
import { Observable } from 'rxjs';
import type { Client } from '../../src/client/client-types.js';
import type { Job } from '../../src/client/jobs/job-handle.js';
import { isServiceError } from '../../src/core/errors/service-error.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';
import { sinks } from '../helpers/sinks.js';
import { countingSignal, type CountingSignal } from '../helpers/counting-signal.js';
import type { JobPlan, Schedule } from './schedule.js';
import { markOf } from './local/local-messages.js';
import { nodeId } from './sim-messages.js';
import { watch, type Watcher } from './watcher.js';
import type { Backend } from './backend.js';

/** What the users of one schedule did and saw. */
export interface Observed {
  readonly watchers: readonly Watcher[];
  /** Every failed submission of `submit`, by plan. */
  readonly refusals: Map<number, { readonly error: unknown; readonly at: number }>;
  readonly signals: readonly CountingSignal[];
  /** Plans whose signal fired. */
  readonly aborted: ReadonlySet<number>;
  /** Frames that a job was given but that name another one. */
  readonly strayed: string[];
  /** Pictures and texts that jobs of `submit` were given, and whose they are. */
  readonly marks: readonly Mark[];
  /** What came of draining the client. */
  readonly drains: readonly Drain[];
  /** Jobs whose plans have begun and whose watchers are still there. */
  readonly isSettled: () => boolean;
  /** Follows anew each job whose watcher did not see all, as its user would the next day; returns how many. */
  readonly followDoubtful: () => number;
}

/** One call of `drain`, and the submission that came after it. */
export interface Drain {
  resolvedAt?: number;
  /** How the submission was refused; undefined where it was not. */
  refusal?: unknown;
}

/** A picture or text that a job was given. */
export interface Mark {
  readonly job: number;
  readonly promptId: string;
  /** The plan whose it is. */
  readonly plan: number;
  readonly mark: string;
}

/** Lets the users of a schedule act on a client; faults reach them through `backend.user`. */
export const simUsers = (schedule: Schedule, backend: Backend, client: Client): Observed => {
  const { clock } = backend;
  const watchers: Watcher[] = [];
  const refusals: Observed['refusals'] = new Map();
  const signals: CountingSignal[] = [];
  const strayed: string[] = [];
  const marks: Mark[] = [];
  const aborted = new Set<number>();
  const drains: Drain[] = [];
  const signalOf = new Map<number, CountingSignal>();
  const refollow = new Set<string>();
  const handles = new Map<number, Job>();
  let unfinished = schedule.jobs.length;
  let pendingWork = 0;

  const see = (plan: JobPlan, name: string, source: Parameters<typeof watch>[0]): Watcher => {
    const watcher = watch(source, {
      job: plan.index,
      name,
      clock,
      settled: (settled) => {
        backend.reached(plan, 'settled');
        // A refused key ends a job's stream; once the key is good again its user looks after the job anew.
        const error = settled.error();
        if (isServiceError(error) && error._tag === 'Unauthorized') {
          const promptId = error.promptId ?? settled.states.at(-1)?.promptId ?? '';
          if (promptId !== '') refollow.add(`${plan.index} ${promptId}`);
        }
      },
    });
    watchers.push(watcher);
    return watcher;
  };
  const later = (delayMs: number, work: () => void): void => {
    pendingWork += 1;
    clock.deliver(delayMs, () => {
      pendingWork -= 1;
      work();
    });
  };

  const begin = (plan: JobPlan): void => {
    const signal = countingSignal();
    signals.push(signal);
    signalOf.set(plan.index, signal);
    switch (plan.via) {
      case 'run':
        see(plan, 'run', client.run(workflowOf(plan), { signal: signal.signal }));
        break;
      case 'submit':
        pendingWork += 1;
        void client
          .submit(workflowOf(plan), { signal: signal.signal })()
          .then((submitted) => {
            pendingWork -= 1;
            if (E.isLeft(submitted)) {
              sinks.value('a refused submission', submitted.left);
              refusals.set(plan.index, { error: submitted.left, at: clock.now() });
              backend.reached(plan, 'settled');
              return;
            }
            const job = submitted.right;
            handles.set(plan.index, job);
            job.frames.subscribe({
              next: (frame) => {
                if (frame.promptId !== undefined && frame.promptId !== job.promptId)
                  strayed.push(frame.promptId);
                if (frame._tag !== 'Preview' && frame._tag !== 'Text') return;
                const said = markOf(frame._tag === 'Text' ? frame.text : frame.image);
                if (said !== undefined) marks.push({ job: plan.index, promptId: job.promptId, ...said });
              },
              error: () => undefined,
            });
            see(plan, 'states', job.states);
            see(plan, 'iterator', iterated(job));
            later(plan.lateMs, () => see(plan, 'late', job.states));
          });
        break;
      case 'follow': {
        const job = backend.jobs.accept(plan);
        backend.ledger.accepted.push({ at: clock.now(), correlation: plan.index, promptId: job.promptId });
        backend.reached(plan, 'accepted');
        see(plan, 'follow', client.follow(job.promptId, { signal: signal.signal }));
      }
    }
    backend.reached(plan, 'connecting');
    unfinished -= 1;
  };

  for (const plan of schedule.jobs) {
    clock.at(Math.max(0, plan.startsAt - 500), () => backend.reached(plan, 'before'));
    clock.deliver(plan.startsAt, () => begin(plan));
  }
  const ofPlan = (plan: number): readonly Watcher[] =>
    watchers.filter(
      ({ job, settledAt, leftAt }) => job === plan && settledAt() === undefined && leftAt() === undefined,
    );
  backend.user = {
    setKey: (key) => {
      backend.ledger.resumes.push(clock.now());
      client.setKey(key);
      for (const entry of refollow) {
        const [index, promptId] = entry.split(' ') as [string, string];
        see(
          schedule.jobs.find((plan) => plan.index === Number(index))!,
          'refollow',
          client.follow(promptId),
        );
      }
      refollow.clear();
    },
    resume: () => {
      backend.ledger.resumes.push(clock.now());
      client.resume();
    },
    cancel: (plan) => {
      const jobs = backend.jobsOfPlan(plan).filter(({ endedAt }) => endedAt === undefined);
      for (const { promptId } of jobs) void client.cancel(promptId)();
      return jobs.length > 0;
    },
    leave: (plan) => {
      const leaving = ofPlan(plan).filter(
        ({ name }) => name === 'run' || name === 'follow' || name === 'states',
      );
      for (const watcher of leaving) watcher.leave();
      return leaving.length > 0;
    },
    watchAgain: (index) => {
      const plan = schedule.jobs.find((other) => other.index === index);
      const job = handles.get(index);
      if (plan !== undefined && job !== undefined) see(plan, 'again', job.states);
    },
    close: () => void client.close(),
    drain: (index) => {
      const drain: Drain = {};
      drains.push(drain);
      void client.drain().then(() => (drain.resolvedAt = clock.now()));
      void client
        .submit(workflowOf(schedule.jobs.find((plan) => plan.index === index)!))()
        .then((submitted) => {
          if (E.isLeft(submitted)) drain.refusal = submitted.left;
        });
    },
    abort: (plan) => {
      const signal = signalOf.get(plan);
      if (signal === undefined || signal.signal.aborted) return false;
      aborted.add(plan);
      signal.abort();
      return true;
    },
  };
  return {
    watchers,
    refusals,
    signals,
    aborted,
    strayed,
    marks,
    drains,
    followDoubtful: () => {
      const doubtful = new Map<string, number>();
      for (const watcher of watchers) {
        const promptId = doubtfulId(watcher);
        const isForgotten = backend.local !== undefined && !backend.local.history.has(promptId);
        if (backend.jobs.byId.has(promptId) && !isForgotten) doubtful.set(promptId, watcher.job);
      }
      for (const [promptId, index] of doubtful)
        see(
          schedule.jobs.find((plan) => plan.index === index)!,
          'afterwards',
          client.follow(promptId),
        );
      return doubtful.size;
    },
    isSettled: () =>
      unfinished === 0 &&
      pendingWork === 0 &&
      refollow.size === 0 &&
      watchers.every(({ settledAt, leftAt }) => settledAt() !== undefined || leftAt() !== undefined),
  };
};

/** The id of a job whose watcher saw no end, no sure end, or not all of its outputs. */
const doubtfulId = ({ states, end, error, hasError, leftAt }: Watcher): string => {
  if (leftAt() !== undefined) return '';
  const last = end();
  const failed = error();
  if (isServiceError(failed) && failed._tag === 'Aborted') return '';
  if (hasError())
    return (isServiceError(failed) ? failed.promptId : undefined) ?? states.at(-1)?.promptId ?? '';
  if (last === undefined) return '';
  return last.outputsComplete ? '' : last.promptId;
};

const workflowOf = (plan: JobPlan): Workflow =>
  Object.fromEntries([
    ['1', { class_type: 'Correlation', inputs: { correlation: plan.index } }],
    ...Array.from({ length: plan.nodes }, (_, node) => [
      nodeId(plan, node),
      { class_type: 'SaveImage', inputs: {} },
    ]),
  ]) as Workflow;

/** An async iterator as a stream again, so that it is watched like all others. */
const iterated = <A>(values: AsyncIterable<A>): Observable<A> =>
  new Observable((subscriber) => {
    const iterator = values[Symbol.asyncIterator]();
    void (async () => {
      try {
        for (;;) {
          const { done, value } = (await iterator.next()) as IteratorResult<A, undefined>;
          if (done === true) {
            subscriber.complete();
            return;
          }
          subscriber.next(value);
        }
      } catch (error) {
        subscriber.error(error);
      }
    })();
    return () => void iterator.return?.();
  });
