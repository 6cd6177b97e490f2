import { defer, filter, type MonoTypeOperatorFunction } from 'rxjs';
import type { Frame } from '../protocol/frames/frame.js';
import { ownerOf, runningPrompts } from '../protocol/attribution/running-prompts.js';

/**
 * Passes the frames of one job, out of a stream that may carry those of many.
 *
 * ```text
 * source           --a1--b1--p---b2--p---a2--p--|      p: a picture that names no job; b2 ends job b
 *                  forPrompt('a')
 * result           --a1------------------a2--p--|
 * ```
 *
 * A preview or text without a prompt id (binary types 1 and 3) passes only while this job is the only one that the
 * source has shown to run; with two of them it is nobody's, since a guess would show one person another's picture. A
 * job runs from its first frame until `execution_success`, `execution_error` (other than `ExecutionBlocked`) or
 * `execution_interrupted`. Text messages without a prompt id and malformed
 * frames never pass; an unknown message passes if it names the job.
 *
 * What it knows of running jobs belongs to one subscription and comes from its source alone. Errors, completion and
 * unsubscription go straight through; it does not end with the job: see `untilTerminal`.
 * Facts: docs/protocol.md, chapters 5 to 7.
 *
 * @param promptId - The id that the submission's answer gave.
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
