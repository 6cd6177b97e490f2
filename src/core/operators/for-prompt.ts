import { defer, filter, type MonoTypeOperatorFunction } from 'rxjs';
import type { Frame } from '../protocol/frames/frame.js';
import { ownerOf, runningPrompts } from '../protocol/attribution/running-prompts.js';

/**
 * Passes the frames of one job, out of a stream that may carry the frames of many.
 *
 * ```text
 * source           --a1--b1--p---b2--p---a2--p--|      p: a preview without a prompt id; b2 ends job b
 *                  forPrompt('a')
 * result           --a1------------------a2--p--|
 * ```
 *
 * A preview or text without a prompt id (binary types 1 and 3) passes only while this job is the only running job that the
 * source has shown; while several run, no job gets it, since a wrong guess would show one user another user's picture. A job
 * runs from its first frame until `execution_success`, `execution_error` (other than `ExecutionBlocked`) or
 * `execution_interrupted`. Text messages without a prompt id and malformed frames never pass; an unknown message passes if
 * it names the job.
 *
 * Each subscription tracks the running jobs for itself, from its source alone. Errors, completion and unsubscription pass
 * straight through. The stream does not end with the job: see `untilTerminal`. Facts: docs/protocol.md, chapters 5 to 7.
 *
 * @param promptId - The id from the answer to the submission.
 *
 * @example
 * ```ts
 * import { forPrompt, previews, type Frame } from 'promptwire';
 * import type { Observable } from 'rxjs';
 *
 * const pictures = (frames: Observable<Frame>, promptId: string) => frames.pipe(forPrompt(promptId), previews());
 * ```
 */
export const forPrompt =
  (promptId: string): MonoTypeOperatorFunction<Frame> =>
  (source) =>
    defer(() => {
      const running = runningPrompts();
      return source.pipe(filter((frame) => ownerOf(frame, running) === promptId));
    });
