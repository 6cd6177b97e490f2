import { createRun, type RunState } from './run.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Observable } from 'rxjs';
import type { RunSource } from './source.js';
import { throwBug } from './use-shared.js';
import { useMemo, useSyncExternalStore } from 'react';

/** What `start` takes: what `run` of the source takes, and of a remote what `runTemplate` takes as well. */
export type RunArguments<Source extends RunSource> =
  | Parameters<Source['run']>
  | (Source extends { readonly runTemplate: (...given: infer Given) => Observable<JobState> }
      ? Given
      : never);

/** A submission as a component shows it, and what can be done with it. */
export interface RunView<Source extends RunSource> extends RunState {
  /**
   * Submits a workflow, or a template of a gateway by its name. **Each call is one submission, a job that costs money**; only a call that
   * React repeats with the effects of a component gives the job of the first.
   *
   * The view shows this job from now on, and one that was started before goes on by itself. Resolves with the id of the job, or with undefined
   * where the submission failed, as `error` says; never rejects. The same function for as long as the source is.
   */
  readonly start: (...submission: RunArguments<Source>) => Promise<string | undefined>;
  /**
   * Submits the last one again, unless it runs. After `OutcomeUnknown` a remote sends the key of the first try, so that both are one job; a
   * client submits anew, so ask before you call it.
   */
  readonly retry: () => Promise<string | undefined>;
  /**
   * Asks for the end of the job, as soon as its id is known. Never rejects: `false` says that it was over, or that `error` has the reason.
   */
  readonly cancel: () => Promise<boolean>;
}

/**
 * Submits jobs for a component, and shows the latest of them: in `start`, which an event calls, never by rendering.
 *
 * In strict mode, where effects run twice, a `start` in an effect is one submission, and its job stays. Taking the component off stops
 * watching once the job has an id and leaves the job alone, unless its option `onUnsubscribe` is `cancel`; to show it later follow its id by `useJob`.
 * A `ServiceError` is the `error` of the view; any other is thrown while rendering.
 *
 * @example
 * ```ts
 * import type { Remote } from 'promptwire/remote';
 * import { useRun } from 'promptwire/react';
 *
 * const usePaint = (remote: Remote) => {
 *   const { start, cancel, state, error, isRunning } = useRun(remote);
 *   const paint = (prompt: string) => start('picture', { prompt });
 *   return { paint, stop: cancel, isRunning, words: error?.message ?? state?.phase };
 * };
 * ```
 */
export const useRun = <Source extends RunSource>(source: Source | undefined): RunView<Source> => {
  const { subscribe, getSnapshot, start, retry, cancel } = useMemo(() => createRun(source), [source]);
  const shown = useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
  throwBug(shown.error);
  return { ...shown, start, retry, cancel };
};
