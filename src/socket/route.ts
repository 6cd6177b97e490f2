import { endsOthers } from '../protocol/attribution/ends-others.js';
import type { Frame } from '../protocol/frames/frame.js';
import { ownerOf, runningPrompts } from '../protocol/attribution/running-prompts.js';

/** Takes the frames of one job. Like an observer without an end: `next` must not throw. */
export interface FrameListener {
  readonly promptId: string;
  readonly next: (frame: Frame) => void;
}

/** One keyed fan-out of frames to the jobs that they belong to. */
export interface Routes {
  /** How many frames of jobs have arrived in all, of foreign jobs as well. */
  readonly heard: number;
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
  /** The lists are replaced, never changed: a listener may leave while its job is given a frame. */
  const listeners = new Map<string, readonly FrameListener[]>();
  const running = runningPrompts();
  let heard = 0;

  return {
    get heard() {
      return heard;
    },
    has: (promptId) => listeners.has(promptId),
    add: (listener) => {
      const { promptId } = listener;
      listeners.set(promptId, [...(listeners.get(promptId) ?? []), listener]);
    },
    remove: (listener) => {
      const { promptId } = listener;
      const others = (listeners.get(promptId) ?? []).filter((other) => other !== listener);
      if (others.length > 0) listeners.set(promptId, others);
      else listeners.delete(promptId);
    },
    deliver: (frame) => {
      if (oneAtOnce && endsOthers(frame)) running.clear();
      if (frame.promptId !== undefined || frame._tag === 'Preview' || frame._tag === 'Text') heard += 1;
      const owner = ownerOf(frame, running);
      if (owner === undefined) return;
      for (const listener of listeners.get(owner) ?? []) listener.next(frame);
    },
    pass: (promptId) => {
      heard += 1;
      running.pass(promptId);
    },
    forget: () => running.clear(),
  };
};
