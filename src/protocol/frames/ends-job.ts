import type { Frame } from './frame.js';

/**
 * Tells whether a frame is the end of its job: `execution_success`, `execution_error` or `execution_interrupted`.
 *
 * An `execution_error` whose `exception_type` is `ExecutionBlocked` is none: one branch was left out and the run goes on
 * (docs/protocol.md, chapter 6). Neither is `executing` without a node, which does not say how the job ended.
 *
 * @example
 * ```ts
 * import { endsJob, type Frame } from 'promptwire';
 *
 * const ends = (frames: readonly Frame[]): number => frames.filter(endsJob).length;
 * ```
 */
export const endsJob = (frame: Frame): boolean => {
  if (frame._tag !== 'Event') return false;
  switch (frame.type) {
    case 'execution_success':
    case 'execution_interrupted':
      return true;
    case 'execution_error':
      return frame.data.exception_type !== 'ExecutionBlocked';
    default:
      return false;
  }
};
