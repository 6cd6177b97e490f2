import { addLatest } from '../add-latest.js';
import { endsJob } from './ends-job.js';
import type { Frame } from './frame.js';
import { isEndMark } from './is-end-mark.js';

/** How many ended jobs are remembered, so that a late or repeated frame does not start one again. */
const maxEnded = 1000;

/** The jobs that one stream of frames has shown to run: those it saw begin, less those it saw end. */
export interface RunningPrompts {
  /** Takes the next frame of the stream into account. */
  readonly see: (frame: Frame) => void;
  /** Takes into account that a frame of this job went by unread; it was no end. */
  readonly pass: (promptId: string) => void;
  readonly has: (promptId: string) => boolean;
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
  // A job's frames come in rows, and comparing two ids costs far less than looking one up.
  let latest: string | undefined;

  const run = (promptId: string): void => {
    if (ended.has(promptId)) return;
    if (!running.has(promptId)) running.add(copyOf(promptId));
    latest = promptId;
  };

  return {
    see: (frame) => {
      const { promptId } = frame;
      if (promptId === undefined) return;
      if (endsJob(frame)) {
        running.delete(promptId);
        addLatest(ended, promptId, maxEnded);
        latest = undefined;
      } else if (promptId !== latest && !isEndMark(frame)) {
        run(promptId);
      }
    },
    pass: (promptId) => {
      if (promptId !== latest) run(promptId);
    },
    has: (promptId) => running.has(promptId),
    only: () => (running.size === 1 ? running.values().next().value : undefined),
    clear: () => {
      running.clear();
      latest = undefined;
    },
  };
};

/** V8 keeps a whole message for what was cut out of it; a job may run for hours after its first one. */
const copyOf = (promptId: string): string => JSON.parse(JSON.stringify(promptId)) as string;
