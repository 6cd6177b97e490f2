import type { Frame } from '../../core/protocol/frames/frame.js';
import type { Job } from '../../client/jobs/job-handle.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Workflow } from '../../core/protocol/workflow.js';
import * as E from '../../core/protocol/either.js';
import { concat, map, Observable, ReplaySubject, scan, Subject, takeWhile, throwError } from 'rxjs';
import { forPrompt } from '../../core/operators/for-prompt.js';
import { initialJobState } from '../../core/state/initial-job-state.js';
import { isTerminal } from '../../core/state/job-state.js';
import { outputsOf } from '../../core/errors/outputs-of.js';
import { serviceError } from '../../core/errors/service-error.js';
import { stepJobState } from '../../core/state/step-job-state.js';
import { toAsyncIterable } from '../../core/interop/to-async-iterable.js';
import { toTaskEither } from '../../core/interop/to-task-either.js';

/** Options of {@link jobFrom}. */
export interface JobFromOptions {
  /** Which job; default the first that a frame names. */
  readonly promptId?: string | undefined;
  /** The submitted workflow; its node count makes the overall progress exact. */
  readonly workflow?: Workflow | undefined;
}

/**
 * Makes a `Job` from frames, such as those of `replayFrames`: its states, frames and outputs are what a client would have shown that
 * sees these frames only.
 *
 * It subscribes to the frames once, at once, so a cold replay begins here. `states` replays the latest state and completes after the
 * terminal one; where the frames end before the job does, it errors with `Closed`, and errors pass. There is no record to ask for:
 * the outputs of a completed job are those that its frames reported, and count as complete. `promptId` is empty until a frame names
 * a job, unless the options do. `cancel` is `CancelNotApplied`: nothing can end a job of the past.
 *
 * @example
 * ```ts
 * import { outputFiles, toPromise } from 'promptwire';
 * import { jobFrom, replayFrames } from 'promptwire/testing';
 *
 * const files = async (path: string) => {
 *   const job = jobFrom(replayFrames(path, { speed: 'max' }));
 *   return outputFiles(await toPromise(job.outputs));
 * };
 * ```
 */
export const jobFrom = (frames: Observable<Frame>, { promptId = '', workflow }: JobFromOptions = {}): Job => {
  const own = new ReplaySubject<Frame>(Infinity);
  const states = new ReplaySubject<JobState>(1);
  let named = promptId;
  let latest = initialJobState({ promptId, workflow });
  const source =
    promptId === '' ? ofFirstJob(frames, (id) => (named = id)) : frames.pipe(forPrompt(promptId));

  const endedEarly = throwError(() =>
    serviceError('Closed', { message: 'The frames ended before the job did.' }),
  );
  concat(source, endedEarly)
    .pipe(
      scan((entry, frame) => ({ frame, state: stepRecorded(entry.state, frame) }), {
        frame: undefined as Frame | undefined,
        state: latest,
      }),
      takeWhile(({ state }) => !isTerminal(state.phase), true),
    )
    .subscribe({
      next: ({ frame, state }) => {
        if (frame !== undefined) own.next(frame);
        if (state === latest) return;
        latest = state;
        states.next(state);
      },
      error: (error: unknown) => {
        own.complete();
        states.error(error);
      },
      complete: () => {
        own.complete();
        states.complete();
      },
    });

  return {
    get promptId() {
      return named;
    },
    problems: [],
    states: states.asObservable(),
    frames: own.asObservable(),
    cancel: () => () =>
      Promise.resolve(
        E.left(
          serviceError('CancelNotApplied', {
            message: 'This job is played from frames: nothing can end it.',
            promptId: named,
            phase: latest.phase,
          }),
        ),
      ),
    outputs: async () => {
      const last = await toTaskEither(states)();
      return E.isLeft(last) ? last : outputsOf(last.right);
    },
    [Symbol.asyncIterator]: () => toAsyncIterable(states, { overflow: 'latest' }),
  };
};

/** The frames of the first job that one names; those before it belong to no job. */
const ofFirstJob = (frames: Observable<Frame>, named: (promptId: string) => void): Observable<Frame> =>
  new Observable((subscriber) => {
    const live = new Subject<Frame>();
    let isNamed = false;
    const begin = (promptId: string): void => {
      isNamed = true;
      named(promptId);
      subscriber.add(live.pipe(forPrompt(promptId)).subscribe(subscriber));
    };
    return frames
      .pipe(
        map((frame) => {
          if (!isNamed && frame.promptId !== undefined) begin(frame.promptId);
          return frame;
        }),
      )
      .subscribe({
        next: (frame) => live.next(frame),
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
  });

/** With no record to come, the end that the socket reports is that of the outputs as well. */
const stepRecorded = (state: JobState, frame: Frame): JobState => {
  const next = stepJobState(state, frame);
  if (next.phase !== 'completed' || isTerminal(state.phase)) return next;
  const { promptId, outputs, endedAt } = next;
  return stepJobState(state, {
    _tag: 'HistoryRead',
    promptId,
    outputs,
    phase: 'completed',
    isFinal: true,
    ...(endedAt === undefined ? {} : { endedAt }),
  });
};
