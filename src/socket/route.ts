import { endsJob, ownerOf, runningPrompts } from '../protocol/attribution/running-prompts.js';
import { endsOthers } from '../protocol/attribution/ends-others.js';
import type { Frame } from '../protocol/frames/frame.js';
import type { IdAt } from '../protocol/attribution/peek-text.js';

/** Takes the frames of one job. Like an observer without an end: `next` must not throw. */
export interface FrameListener {
  readonly promptId: string;
  readonly next: (frame: Frame) => void;
  /** Belongs to the route: the era, from one socket to the next, in which the job was last known to run. */
  runsIn: object | undefined;
}

/** One keyed fan-out of frames to the jobs that they belong to. */
export interface Routes {
  /** How many frames of jobs have come in all, whoever's they are. */
  readonly heard: number;
  /** Who listens to this job, if anybody does. */
  readonly of: (promptId: string) => FrameListener | undefined;
  /** Who may listen to the job whose id stands there: nobody else does. */
  readonly at: (id: IdAt) => FrameListener | undefined;
  /** Gives a listener the frames of its job from now on. */
  readonly add: (listener: FrameListener) => void;
  readonly remove: (listener: FrameListener) => void;
  /** Delivers a frame to its job, in one look-up however many jobs there are, and in none where it is `at` the id. */
  readonly deliver: (frame: Frame, at?: FrameListener) => void;
  /** Notes that a frame of a job that nobody listens to went by unread; it was no end. */
  readonly pass: (id: IdAt) => void;
  /** Forgets which jobs run: what was missed between two sockets is not known. */
  readonly forget: () => void;
}

/**
 * Sends each frame to the listeners of its job. A picture or text without a prompt id goes to the one job that runs, and
 * to nobody while several do or none is known to; an event without one belongs to no job.
 *
 * @param oneAtOnce whether the server runs one job at a time: what ran before is over when another one starts
 */
export const routes = (oneAtOnce = false): Routes => {
  /** The one listener itself, as most jobs have one: of many jobs each object that a frame comes by is a cache's miss. */
  const watched = byJob<FrameListener>();
  const running = runningPrompts();
  let era = {};
  let heard = 0;

  const forget = (): void => {
    running.clear();
    era = {};
  };
  /** To whom it belongs, once it was taken into account. */
  const ownerSeen = (frame: Frame, at: FrameListener | undefined): FrameListener | undefined => {
    const { promptId } = frame;
    const named = promptId === undefined ? undefined : at?.promptId === promptId ? at : watched.of(promptId);
    // That a job runs which is known to run is no news: thousands that run would each be looked up once more a frame.
    if (named?.runsIn === era && !endsJob(frame)) return named;
    const owner = ownerOf(frame, running);
    if (named !== undefined && promptId !== undefined) named.runsIn = running.has(promptId) ? era : undefined;
    return named ?? (owner === undefined ? undefined : watched.of(owner));
  };

  return {
    get heard() {
      return heard;
    },
    of: watched.of,
    at: watched.at,
    add: (listener) => {
      const known = watched.of(listener.promptId);
      if (known instanceof Several) known.listeners = [...known.listeners, listener];
      else watched.put(known === undefined ? listener : new Several(listener.promptId, [known, listener]));
    },
    remove: (listener) => {
      const known = watched.of(listener.promptId);
      if (known instanceof Several) known.listeners = known.listeners.filter((other) => other !== listener);
      const isLast = known instanceof Several ? known.listeners.length === 0 : known === listener;
      if (isLast) watched.drop(listener.promptId);
    },
    deliver: (frame, at) => {
      if (oneAtOnce && endsOthers(frame)) forget();
      if (frame.promptId !== undefined || frame._tag === 'Preview' || frame._tag === 'Text') heard += 1;
      // Looking an id up means hashing it, which a client that only watches all frames need not pay for.
      if (watched.size === 0) running.see(frame);
      else ownerSeen(frame, at)?.next(frame);
    },
    pass: ({ text, start, end }) => {
      heard += 1;
      running.pass(text.slice(start, end));
    },
    forget,
  };
};

/** The listeners of a job that has, or had, more than one. */
class Several implements FrameListener {
  readonly promptId: string;
  /** Never changed in place: a listener may leave while it is given a frame. */
  listeners: readonly FrameListener[];
  runsIn: object | undefined;

  constructor(promptId: string, listeners: readonly FrameListener[]) {
    this.promptId = promptId;
    this.listeners = listeners;
  }

  next(frame: Frame): void {
    for (const listener of this.listeners) listener.next(frame);
  }
}

/** One value for each of many jobs. */
export interface ByJob<A> {
  readonly size: number;
  readonly of: (promptId: string) => A | undefined;
  /** The value of the job whose id stands there; where it has none, rarely that of another job. */
  readonly at: (id: IdAt) => A | undefined;
  /** Puts a value in the place of the one that its job had. */
  readonly put: (value: A) => void;
  readonly drop: (promptId: string) => void;
}

/**
 * Makes a map by job that is asked with each message, of ten thousand jobs as well.
 *
 * A map by strings hashes an id that was just cut out of a message, and compares it with the keys of its bucket, each of
 * which is an object of its own that no cache holds. So there is one by numbers beside it, which stand in the map itself.
 */
export const byJob = <A extends { readonly promptId: string }>(): ByJob<A> => {
  const byId = new Map<string, A>();
  /** Whose job alone has a mark, or how many jobs share it. */
  const byMark = new Map<number, A | number>();

  return {
    get size() {
      return byId.size;
    },
    of: (promptId) => byId.get(promptId),
    at: ({ text, start, end }) => {
      const found = byMark.get(markOf(text, start, end));
      return typeof found === 'number' ? byId.get(text.slice(start, end)) : found;
    },
    put: (value) => {
      const { promptId } = value;
      const before = byId.get(promptId);
      const mark = markOf(promptId, 0, promptId.length);
      const marked = byMark.get(mark);
      if (marked === before) byMark.set(mark, value);
      else if (before === undefined) byMark.set(mark, typeof marked === 'number' ? marked + 1 : 2);
      byId.set(promptId, value);
    },
    drop: (promptId) => {
      if (!byId.delete(promptId)) return;
      const mark = markOf(promptId, 0, promptId.length);
      const marked = byMark.get(mark);
      if (typeof marked === 'number' && marked > 1) byMark.set(mark, marked - 1);
      else byMark.delete(mark);
    },
  };
};

/** A number from the end of an id, which is where ids differ; V8 keeps it without an object, as it has 30 bits. */
const markOf = (text: string, start: number, end: number): number => {
  let mark = end - start;
  for (let at = Math.max(start, end - 12); at < end; at += 1) {
    mark = (Math.imul(mark, 31) + text.charCodeAt(at)) | 0;
  }
  return mark & 0x3fffffff;
};
