import { addLatest } from '../collections.js';
import type { Frame } from '../frames/frame.js';

/** How many ended jobs are remembered, so that a late or repeated frame does not start one again. */
const maxEnded = 1000;

/** The jobs that one stream of frames has shown to run: those it saw begin, less those it saw end. */
interface RunningPrompts {
  /** Takes the next frame of the stream into account. */
  readonly see: (frame: Frame) => void;
  /** Takes into account a frame of this job that was not decoded and is no end. */
  readonly pass: (promptId: string) => void;
  /** The job that runs, if exactly one does: the owner of a frame that names none. */
  readonly only: () => string | undefined;
  /** Forgets which jobs run, where frames were missed. */
  readonly clear: () => void;
}

/**
 * Follows which jobs run, from the frames of one stream alone.
 *
 * Any frame that names a job means that it has begun, until its end comes; a job begins once, so what arrives after its
 * end changes nothing. `executing` without a node, the trailing mark of a run, is no beginning (docs/protocol.md,
 * chapters 6 and 7).
 */
export const runningPrompts = (): RunningPrompts => {
  const running = new Set<string>();
  const ended = new Set<string>();

  const run = (promptId: string): void => {
    if (!running.has(promptId) && !ended.has(promptId)) running.add(copyOf(promptId));
  };

  return {
    see: (frame) => {
      const { promptId } = frame;
      if (promptId === undefined) return;
      if (endsJob(frame)) {
        running.delete(promptId);
        addLatest(ended, promptId, maxEnded);
      } else if (!isEndMark(frame)) {
        run(promptId);
      }
    },
    pass: run,
    only: () => (running.size === 1 ? running.values().next().value : undefined),
    clear: () => running.clear(),
  };
};

/** A copy of its own: a slice of a message would keep the whole message in memory for as long as the job runs. */
const copyOf = (promptId: string): string => JSON.parse(JSON.stringify(promptId)) as string;

/**
 * Finds the job that a frame belongs to, and passes the frame to `running`.
 *
 * That is the job it names. A preview or text that names none (binary types 1 and 3) belongs to the only running job, and to no job
 * while several run or none is known to run. Any other frame without a prompt id belongs to no job.
 */
export const ownerOf = (frame: Frame, running: RunningPrompts): string | undefined => {
  running.see(frame);
  if (frame.promptId !== undefined) return frame.promptId;
  return frame._tag === 'Preview' || frame._tag === 'Text' ? running.only() : undefined;
};

/**
 * Whether a frame ends its job: `execution_success`, `execution_error` or `execution_interrupted`.
 *
 * An `execution_error` with the `exception_type` `ExecutionBlocked` does not: one branch was skipped and the job goes on
 * (docs/protocol.md, chapter 6). Neither does `executing` without a node, which does not say how the job ended.
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

/** Whether a frame is `executing` without a node: the trailing mark of a run, which does not say how it ended. */
export const isEndMark = (frame: Frame): boolean =>
  frame._tag === 'Event' && frame.type === 'executing' && (frame.data.node ?? '') === '';
