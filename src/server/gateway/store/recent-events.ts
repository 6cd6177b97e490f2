import type { LoggedEvent, LogPage, LogScope } from '../../joblog/event-log.js';

/** The newest events of logs, as readers who have all before them ask for them: many readers of one job cost one write and no read. */
export interface RecentEvents {
  /** Takes events at the end of an owner's log, once they are durable. */
  readonly appended: (owner: string, head: RecentHead, events: readonly LoggedEvent[]) => void;
  /** Forgets what it has of an owner, whose log lost events. */
  readonly drop: (owner: string) => void;
  /** The page that the log has after a position; undefined if the log has to be asked. */
  readonly read: (scope: LogScope, after: string | undefined, limit: number) => LogPage | undefined;
}

/** Where the log of an owner is. */
export interface RecentHead {
  readonly epoch: string;
  readonly last: number;
}

/** The last events of one log, without a hole. */
interface Tail extends RecentHead {
  readonly events: readonly LoggedEvent[];
}

/** The most events of one owner, and the most owners: those that appended last. */
const maxEvents = 500;
const maxOwners = 20;

/** Makes empty {@link RecentEvents}. */
export const recentEvents = (): RecentEvents => {
  const tails = new Map<string, Tail>();
  return {
    appended: (owner, { epoch, last }, events) => {
      const before = tails.get(owner);
      const isNext = before?.epoch === epoch && before.last + events.length === last;
      tails.delete(owner);
      tails.set(owner, {
        ...{ epoch, last },
        events: [...(isNext ? before.events : []), ...events].slice(-maxEvents),
      });
      for (const oldest of tails.keys()) {
        if (tails.size <= maxOwners) break;
        tails.delete(oldest);
      }
    },
    drop: (owner) => void tails.delete(owner),
    read: ({ owner, jobId }, after, limit) => {
      const tail = tails.get(owner);
      if (tail === undefined || after === undefined) return undefined;
      const { epoch, last, events } = tail;
      const at = after === `${epoch}-${last - events.length}` ? 0 : placeAfter(events, after);
      if (at === undefined) return undefined;
      const rest = events.slice(at);
      if (jobId === undefined) return { events: rest.slice(0, limit), gap: false };
      const own = rest.filter((event) => event.jobId === jobId);
      // The log knows whether the job is forgotten.
      return own.length === 0 ? undefined : { events: own.slice(0, limit), gap: false };
    },
  };
};

/** Positions are mostly near the end. */
const placeAfter = (events: readonly LoggedEvent[], position: string): number | undefined => {
  const place = events.findLastIndex(({ id }) => id === position);
  return place < 0 ? undefined : place + 1;
};
