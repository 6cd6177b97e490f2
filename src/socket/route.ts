import { endsJob } from '../protocol/frames/ends-job.js';
import type { Frame } from '../protocol/frames/frame.js';
import { ownerOf } from '../protocol/frames/owner-of.js';
import { runningPrompts } from '../protocol/frames/running-prompts.js';

/** Takes the frames of a job. Like an observer without an end: `next` must not throw. */
export interface FrameListener {
  readonly next: (frame: Frame) => void;
}

/** One keyed fan-out of frames to the jobs that they belong to. */
export interface Routes {
  /** How many jobs are listened to. */
  readonly size: number;
  /** How many frames of jobs have come in all, whoever's they are. */
  readonly heard: number;
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
  const watched = new Map<string, Watched>();
  const running = runningPrompts();
  let era = 0;
  let heard = 0;

  /** To whom it belongs, once it was taken into account. */
  const ownerSeen = (frame: Frame): Watched | undefined => {
    // Looking an id up means hashing it, which a client that only watches all frames need not pay for.
    const named =
      frame.promptId === undefined || watched.size === 0 ? undefined : watched.get(frame.promptId);
    // That a job runs which is known to run is no news: thousands that run would each be looked up once more a frame.
    if (named?.runsIn === era && !endsJob(frame)) return named;
    const owner = ownerOf(frame, running);
    if (named !== undefined && frame.promptId !== undefined)
      named.runsIn = running.has(frame.promptId) ? era : -1;
    return named ?? (owner === undefined || watched.size === 0 ? undefined : watched.get(owner));
  };

  return {
    get size() {
      return watched.size;
    },
    get heard() {
      return heard;
    },
    has: (promptId) => watched.has(promptId),
    add: (promptId, listener) => {
      const known = watched.get(promptId);
      if (known === undefined) watched.set(promptId, { listeners: [listener], runsIn: -1 });
      else known.listeners = [...known.listeners, listener];
    },
    remove: (promptId, listener) => {
      const known = watched.get(promptId);
      if (known === undefined) return;
      known.listeners = known.listeners.filter((other) => other !== listener);
      if (known.listeners.length === 0) watched.delete(promptId);
    },
    deliver: (frame) => {
      if (frame.promptId !== undefined || frame._tag === 'Preview' || frame._tag === 'Text') heard += 1;
      const owner = ownerSeen(frame);
      if (owner !== undefined) for (const listener of owner.listeners) listener.next(frame);
    },
    pass: (promptId) => {
      heard += 1;
      running.pass(promptId);
    },
    forget: () => {
      running.clear();
      era += 1;
    },
  };
};

/** A job that somebody listens to. */
interface Watched {
  /** Never changed in place: whoever is given a frame may leave. */
  listeners: readonly FrameListener[];
  /** The era, from one socket to the next, in which it was last known to run. */
  runsIn: number;
}
