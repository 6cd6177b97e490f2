import type { Frame } from '../protocol/frames/frame.js';
import { ownerOf } from '../protocol/frames/owner-of.js';
import { runningPrompts } from '../protocol/frames/running-prompts.js';
import { listsByKey } from './lists-by-key.js';

/** Takes the frames of a job. Like an observer without an end: `next` must not throw. */
export interface FrameListener {
  readonly next: (frame: Frame) => void;
}

/** One keyed fan-out of frames to the jobs that they belong to. */
export interface Routes {
  /** How many jobs are listened to. */
  readonly size: number;
  /** Tells whether somebody listens to this job. */
  readonly has: (promptId: string) => boolean;
  /** Gives a listener the frames of one job from now on. */
  readonly add: (promptId: string, listener: FrameListener) => void;
  readonly remove: (promptId: string, listener: FrameListener) => void;
  /** Delivers a frame to its job, in one look-up however many jobs there are. */
  readonly deliver: (frame: Frame) => void;
  /** Notes that a frame of a job that nobody listens to went by unread; it was no end. */
  readonly pass: (promptId: string) => void;
  /** Forgets which jobs run: what was missed between two sockets is not known. */
  readonly forget: () => void;
}

/**
 * Sends each frame to the listeners of its job. A picture or text without a prompt id goes to the one job that runs, and
 * to nobody while several do or none is known to; an event without one belongs to no job.
 */
export const routes = (): Routes => {
  const listeners = listsByKey<FrameListener>();
  const running = runningPrompts();

  return {
    get size() {
      return listeners.size;
    },
    has: listeners.has,
    add: listeners.add,
    remove: listeners.remove,
    deliver: (frame) => {
      const promptId = ownerOf(frame, running);
      if (promptId === undefined || listeners.size === 0) return;
      for (const listener of listeners.of(promptId)) listener.next(frame);
    },
    pass: running.pass,
    forget: () => running.clear(),
  };
};
