import { endsOthers } from '../protocol/attribution/ends-others.js';
import type { Frame } from '../protocol/frames/frame.js';
import { listsByKey } from '../protocol/collections.js';
import { ownerOf, runningPrompts } from '../protocol/attribution/running-prompts.js';

/** Takes the frames of one job. Like an observer without an end: `next` must not throw. */
export interface FrameListener {
  readonly promptId: string;
  readonly next: (frame: Frame) => void;
}

/** One keyed fan-out of frames to the jobs that they belong to. */
export interface Routes {
  /** How many frames of jobs have arrived in all, of foreign jobs as well. */
  readonly received: number;
  /** Whether the job has a listener. */
  readonly has: (promptId: string) => boolean;
  /** Gives a listener the frames of its job from now on. */
  readonly add: (listener: FrameListener) => void;
  readonly remove: (listener: FrameListener) => void;
  /** Delivers a frame to the listeners of its job, at the same cost however many jobs there are. */
  readonly deliver: (frame: Frame) => void;
  /** Notes a frame that was not decoded, of a job without a listener; it was no end. */
  readonly pass: (promptId: string) => void;
  /** Forgets which jobs run: what was missed between two sockets is not known. */
  readonly forget: () => void;
}

/**
 * Sends each frame to the listeners of its job. A picture or text without a prompt id goes to the only job that runs, and
 * to no job while several run or none is known to; an event without one belongs to no job.
 *
 * @param oneAtOnce whether the server runs one job at a time: what ran before is over when another one starts
 */
export const routes = (oneAtOnce = false): Routes => {
  const listeners = listsByKey<FrameListener>();
  const running = runningPrompts();
  let received = 0;

  return {
    get received() {
      return received;
    },
    has: (promptId) => listeners.of(promptId).length > 0,
    add: (listener) => listeners.add(listener.promptId, listener),
    remove: (listener) => listeners.remove(listener.promptId, listener),
    deliver: (frame) => {
      if (oneAtOnce && endsOthers(frame)) running.clear();
      if (frame.promptId !== undefined || frame._tag === 'Preview' || frame._tag === 'Text') received += 1;
      const owner = ownerOf(frame, running);
      if (owner === undefined) return;
      for (const listener of listeners.of(owner)) listener.next(frame);
    },
    pass: (promptId) => {
      received += 1;
      running.pass(promptId);
    },
    forget: () => running.clear(),
  };
};
