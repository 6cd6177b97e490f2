import { concat, map, takeWhile, throwError, type MonoTypeOperatorFunction } from 'rxjs';
import { endsJob } from '../protocol/attribution/running-prompts.js';
import type { ServiceError } from '../errors/errors.js';
import type { Frame } from '../protocol/frames/frame.js';
import { initialJobState } from '../state/initial-job-state.js';
import { serviceError } from '../errors/service-error.js';
import { stepJobState } from '../state/step-job-state.js';

/** Options of {@link untilTerminal}. */
export interface UntilTerminalOptions {
  /** How a job's failure or interruption arrives: as its frame (`value`, the default) or as an error in its place. */
  readonly failure?: 'value' | 'error' | undefined;
}

/**
 * Passes the frames of a job up to and including the one that ends it, then completes.
 *
 * ```text
 * source           --a--b--x--c--|       x: execution_success, execution_error or execution_interrupted
 *                  untilTerminal()
 * result           --a--b--(x|)
 *
 * source           --a--b--x--c--|       x: execution_error or execution_interrupted
 *                  untilTerminal({ failure: 'error' })
 * result           --a--b--#
 * ```
 *
 * The end of any job counts, so put `forPrompt` before it. `ExecutionBlocked` does not end a job. At the end the operator
 * unsubscribes from its source; if the source completes or errors earlier, so does the result.
 *
 * With `failure: 'error'` the error is a `ServiceError`: `JobFailed` with the service's words in `failure`, `JobCancelled`, or
 * `Closed` where the source completes before the job's end, as `client.frames` does when the client closes.
 * Facts: docs/protocol.md, chapter 6.
 *
 * @example
 * ```ts
 * import { collectOutputs, forPrompt, untilTerminal, type Frame } from 'promptwire';
 * import type { Observable } from 'rxjs';
 *
 * const outputsOf = (frames: Observable<Frame>, promptId: string) =>
 *   frames.pipe(forPrompt(promptId), untilTerminal({ failure: 'error' }), collectOutputs());
 * ```
 */
export const untilTerminal =
  ({ failure = 'value' }: UntilTerminalOptions = {}): MonoTypeOperatorFunction<Frame> =>
  (source) => {
    const frames =
      failure === 'value'
        ? source
        : concat(
            source,
            throwError(() => endedEarly()),
          ).pipe(map(orThrow));
    return frames.pipe(takeWhile((frame) => !endsJob(frame), true));
  };

const endedEarly = (): ServiceError =>
  serviceError('Closed', {
    message: 'The frames ended before the job did.',
    hint: 'Follow the job by its id: its states report how it ended.',
  });

const orThrow = (frame: Frame): Frame => {
  const error = endsJob(frame) ? failureOf(frame) : undefined;
  if (error !== undefined) throw error;
  return frame;
};

/** Reads the end of the job with the reducer. */
const failureOf = (frame: Frame): ServiceError | undefined => {
  const about = frame.promptId === undefined ? {} : { promptId: frame.promptId };
  const { phase, failure } = stepJobState(initialJobState(about), frame);
  if (phase === 'failed' && failure !== undefined) return serviceError('JobFailed', { ...about, failure });
  return phase === 'cancelled' ? serviceError('JobCancelled', about) : undefined;
};
