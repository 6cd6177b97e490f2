import { Observable, Subject } from 'rxjs';
import type { Frame } from '../protocol/frames/frame.js';
import { ownerOf } from '../protocol/frames/owner-of.js';
import { runningPrompts } from '../protocol/frames/running-prompts.js';

/** One keyed fan-out of frames to the jobs that they belong to. */
export interface Routes {
  /** How many jobs are watched. */
  readonly size: number;
  /** Tells whether somebody watches this job. */
  readonly has: (promptId: string) => boolean;
  /** The frames of one job from now on; never completes or errors. */
  readonly of: (promptId: string) => Observable<Frame>;
  /** Delivers a frame to its job, in one look-up however many jobs there are. */
  readonly deliver: (frame: Frame) => void;
  /** Notes that a frame of a job that nobody watches went by unread; it was no end. */
  readonly pass: (promptId: string) => void;
  /** Forgets which jobs run: what was missed between two sockets is not known. */
  readonly forget: () => void;
}

/**
 * Sends each frame to the watchers of its job. A picture or text without a prompt id goes to the one job that runs, and
 * to nobody while several do or none is known to; an event without one belongs to no job.
 */
export const routes = (): Routes => {
  const subjects = new Map<string, Subject<Frame>>();
  const running = runningPrompts();

  return {
    get size() {
      return subjects.size;
    },
    has: (promptId) => subjects.has(promptId),
    of: (promptId) =>
      new Observable((subscriber) => {
        const subject = subjects.get(promptId) ?? new Subject<Frame>();
        subjects.set(promptId, subject);
        subject.subscribe(subscriber);
        return () => {
          if (!subject.observed) subjects.delete(promptId);
        };
      }),
    deliver: (frame) => {
      const promptId = ownerOf(frame, running);
      if (promptId !== undefined && subjects.size > 0) subjects.get(promptId)?.next(frame);
    },
    pass: running.pass,
    forget: () => running.clear(),
  };
};
