import { agenda } from './timer-queue.js';
import type { ConnectionState } from '../socket/connection-state.js';
import { type Desk, FollowedJob, type Tracked } from './followed-job.js';
import type { FrameSource } from '../socket/frame-source.js';
import type { InquiryNeeds } from './reconcile.js';
import { jobDetails } from './job-details.js';
import type { JobState } from '../state/job-state.js';
import { Observable, Subscription } from 'rxjs';
import type { Platform } from '../platform/platform.js';
import type { Rest } from '../http/rest.js';
import { suspicion } from './stale-socket.js';

/** Follows the jobs of one client. */
export interface JobTracker {
  /**
   * Follows one job to its end: the socket's frames and REST's answers enter one fold.
   *
   * On subscribe it emits the initial state (unless that is a guess: `isQuiet`), then each newer one; after the terminal state, which is emitted once history
   * has confirmed it (or could not), it completes. Requests that fail are made again on the next occasion; it errors only
   * where no source can be asked any more. Unsubscribing stops watching and leaves the job alone.
   */
  readonly track: (tracked: Tracked) => Observable<JobState>;
  /** Looks at a job, now and once more soon, since the service has taken its cancellation. */
  readonly cancelled: (promptId: string) => void;
  /** Looks at every job now. */
  readonly look: () => void;
}

/** What {@link jobTracker} needs. */
export interface TrackerNeeds extends InquiryNeeds {
  readonly platform: Pick<Platform, 'clock' | 'random'>;
  readonly rest: Pick<Rest, 'jobStatus' | 'history' | 'job' | 'user'>;
  /** How long the record of a job that ended may trail; default 2 minutes. */
  readonly recordWithinMs?: number | undefined;
  readonly source: Pick<
    FrameSource,
    'states' | 'connected' | 'listen' | 'unlisten' | 'openedAt' | 'heard' | 'recycle'
  >;
}

/**
 * Makes the one place where all jobs of a client are followed: one subscription to the connection and one timer, however
 * many they are. Both are there only while some job is.
 */
export const jobTracker = (needs: TrackerNeeds): JobTracker => {
  const { platform, rest, source } = needs;
  const jobs = listsByKey<FollowedJob>();
  const times = agenda(platform.clock);
  const doubt = suspicion({ platform, agenda: times, source });
  let connection: Subscription | undefined;

  const heedAll = (state: ConnectionState): void => {
    for (const job of longestSilentFirst(jobs.all())) job.heed(state);
  };
  const connect = (): void => {
    const own = new Subscription();
    connection = own;
    doubt.wake();
    const error = (cause: unknown): void => {
      // Whoever begins to follow a job from now on is told by a connection of its own.
      if (connection === own) connection = undefined;
      own.unsubscribe();
      for (const job of jobs.all()) job.fail(cause);
    };
    own.add(source.states.subscribe({ next: heedAll, error }));
    own.add(source.connected.subscribe({ error }));
  };
  const desk: Desk = {
    ...needs,
    recordWithinMs: needs.recordWithinMs ?? 120_000,
    appearsWhole: needs.dialect.jobs.recordsAppearWhole,
    details: jobDetails(rest, platform.clock),
    agenda: times,
    missed: doubt.missed,
    left: (job) => {
      jobs.remove(job.promptId, job);
      source.unlisten(job);
      if (jobs.size > 0) return;
      connection?.unsubscribe();
      connection = undefined;
      doubt.sleep();
    },
  };

  return {
    track: (tracked) =>
      new Observable((subscriber) => {
        if (tracked.isQuiet !== true) subscriber.next(tracked.initial);
        if (subscriber.closed) return undefined;
        const job = new FollowedJob(desk, subscriber, tracked);
        jobs.add(job.promptId, job);
        source.listen(job);
        if (connection === undefined) connect();
        else job.heed(source.states.value);
        for (const frame of tracked.claim?.() ?? []) job.next(frame);
        if (openSocket(source.states.value) !== tracked.submittedOn) job.heardElsewhere();
        return job;
      }),
    cancelled: (promptId) => {
      for (const job of jobs.of(promptId)) job.cancelled();
    },
    look: () => {
      for (const job of jobs.all()) job.ask();
    },
  };
};

const openSocket = (state: ConnectionState): string | undefined =>
  state._tag === 'open' ? state.clientId : undefined;

/** When all have to be asked for, whoever was heard of last waits longest for its turn. */
const longestSilentFirst = (jobs: readonly FollowedJob[]): readonly FollowedJob[] =>
  [...jobs].sort((one, other) => (one.seenAt < other.seenAt ? -1 : one.seenAt > other.seenAt ? 1 : 0));

/** Some values under each key. */
export interface ListsByKey<A> {
  /** How many keys have values. */
  readonly size: number;
  /** The values of a key, in the order in which they came. The list never changes: whoever goes through it may add and remove. */
  readonly of: (key: string) => readonly A[];
  readonly all: () => readonly A[];
  readonly add: (key: string, value: A) => void;
  readonly remove: (key: string, value: A) => void;
}

/** Makes a map of short lists, most of them of one value, which cost an array of one. */
export const listsByKey = <A>(): ListsByKey<A> => {
  const lists = new Map<string, readonly A[]>();
  return {
    get size() {
      return lists.size;
    },
    of: (key) => lists.get(key) ?? none,
    all: () => {
      const all: A[] = [];
      for (const list of lists.values()) all.push(...list);
      return all;
    },
    add: (key, value) => {
      const list = lists.get(key);
      lists.set(key, list === undefined ? [value] : [...list, value]);
    },
    remove: (key, value) => {
      const list = lists.get(key);
      if (list?.includes(value) !== true) return;
      if (list.length === 1) lists.delete(key);
      else
        lists.set(
          key,
          list.filter((other) => other !== value),
        );
    },
  };
};

const none: readonly never[] = [];
