import { answered, cancelled, type RunSource } from './source.js';
import { isTerminal, type JobState } from '../../core/state/job-state.js';
import { type Observable, Subscription } from 'rxjs';
import type { ServiceError } from '../../core/errors/errors.js';
import { uuid } from '../../core/platform/uuid.js';

/** What a component knows of its latest submission. */
export interface RunState {
  /** The id of the job; undefined until the answer to the submission. */
  readonly id: string | undefined;
  /** The latest state, `submitting` at first; undefined before the first `start`, and on a server. */
  readonly state: JobState | undefined;
  /** Why it was not submitted, can't be followed or not be cancelled. A job that failed is a `state`. */
  readonly error: ServiceError | undefined;
  /** Whether it is submitted or followed and has not ended. */
  readonly isRunning: boolean;
}

/** The submissions of one component, one after the other. */
export interface Run {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => RunState;
  readonly start: (...submission: readonly unknown[]) => Promise<string | undefined>;
  readonly retry: () => Promise<string | undefined>;
  readonly cancel: () => Promise<boolean>;
}

/** The arguments of a run. A key makes two submissions of a remote one job. */
interface Submission {
  readonly given: readonly unknown[];
  readonly key: string;
}

/**
 * Keeps the submissions of one component; making it has no effect.
 *
 * React may take the component off and put it back at once (strict mode, a hot reload): the job is kept, and a `start` that an effect repeats
 * then is no submission.
 */
export const createRun = (source: RunSource | undefined): Run => {
  const listeners = new Set<() => void>();
  let shown = before;
  let submission: Submission | undefined;
  let id: Promise<string | undefined> = Promise.resolve(undefined);
  let watching = new Subscription();
  let wasShown = false;
  let isPutBack = false;

  const set = (change: Partial<RunState>): void => {
    shown = { ...shown, ...change };
    for (const listener of listeners) listener();
  };
  /** Watches a job; `named` is called with its id, or with undefined if the submission failed. */
  const watch = (states: Observable<JobState>, named?: (id: string | undefined) => void): void => {
    const subscription = (watching = new Subscription(() => named?.(undefined)));
    subscription.add(
      states.subscribe({
        next: (state) => {
          const { promptId, phase } = state;
          set({ state, isRunning: !isTerminal(phase), ...(promptId !== '' && { id: promptId }) });
          if (promptId !== '') named?.(promptId);
          leaveUnshown();
        },
        error: (error: unknown) => {
          set({ error: error as ServiceError, isRunning: false });
          subscription.unsubscribe();
        },
        complete: () => subscription.unsubscribe(),
      }),
    );
  };
  /** A submission is watched up to its answer, which says what job it became. */
  const leaveUnshown = (): void => {
    if (wasShown && listeners.size === 0 && shown.id !== undefined) watching.unsubscribe();
  };
  const submit = (from: RunSource, next: Submission): Promise<string | undefined> => {
    submission = next;
    watching.unsubscribe();
    set({ ...before, isRunning: true });
    id = new Promise((resolve) => watch(statesOf(from, next), resolve));
    return id;
  };
  const duringPutBack = (then: () => void): void => {
    isPutBack = true;
    queueMicrotask(() => {
      isPutBack = false;
      then();
    });
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      if (wasShown) {
        duringPutBack(() => undefined);
        if (watching.closed && shown.isRunning && shown.id !== undefined && source !== undefined)
          watch(source.follow(shown.id));
      }
      return () => {
        wasShown = true;
        listeners.delete(listener);
        duringPutBack(leaveUnshown);
      };
    },
    getSnapshot: () => shown,
    start: (...given) => {
      if (source === undefined || (isPutBack && submission !== undefined)) return id;
      return submit(source, { given, key: uuid() });
    },
    retry: () => {
      if (source === undefined || submission === undefined || shown.isRunning) return id;
      const { given, key } = submission;
      return submit(source, { given, key: shown.error?._tag === 'OutcomeUnknown' ? key : uuid() });
    },
    cancel: async () =>
      shown.isRunning &&
      cancelled(async () => {
        const started = await id;
        return started !== undefined && source !== undefined && answered(source.cancel(started));
      }, set),
  };
};

const before: RunState = { id: undefined, state: undefined, error: undefined, isRunning: false };

type Submit = (...given: readonly unknown[]) => Observable<JobState>;

const statesOf = (source: RunSource, { given, key }: Submission): Observable<JobState> => {
  const from = source as { readonly run: Submit; readonly runTemplate?: Submit };
  if (from.runTemplate === undefined) return from.run(...given);
  const isTemplate = typeof given[0] === 'string';
  const options = isTemplate ? 2 : 1;
  const withKey = [...given.slice(0, options), { idempotencyKey: key, ...(given[options] as object) }];
  return isTemplate ? from.runTemplate(...withKey) : from.run(...withKey);
};
