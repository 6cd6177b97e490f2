import type { CancelTimer, Clock } from '../platform/platform.js';
import { Observable } from 'rxjs';

/** Who waits for a turn. */
export interface Turn {
  /** The turn has come; called once for each time that it was entered. */
  readonly taken: () => void;
}

/**
 * The order of service: `look` asks how a job stands, `end` reads the record of a job that has ended, and `rest` asks for
 * what an end's record left open.
 */
export type TurnRank = 'look' | 'end' | 'rest';

/** A shared allowance of requests. */
export interface RequestBudget {
  /** Asks for a turn, which may come at once; default rank `look`. A turn that waits already keeps its place. */
  readonly enter: (turn: Turn, rank?: TurnRank) => void;
  /** Gives a turn up that has not come yet. */
  readonly leave: (turn: Turn) => void;
  /** The same as a stream: each subscription waits for a turn of its own, emits once and completes. */
  readonly turns: Observable<void>;
  /** As {@link turns}, for the requests that confirm an end. */
  readonly turnsOf: (rank: TurnRank) => Observable<void>;
}

/** How fast a client may ask about its jobs. */
export interface RequestBudgetOptions {
  /** Requests that may be made a second; default 5. */
  readonly perSecond?: number | undefined;
  /** Requests that may be made at once after a pause; default 10. */
  readonly burst?: number | undefined;
}

/**
 * Turns of one rank are given in the order in which they were asked for, so the job that has been silent for longest comes
 * first. Jobs that have ended come before those that are looked at, and what one of them still needs before the next one, so
 * that of many that end at once each is over as early as the rate allows. A turn that is given up is passed on. One budget serves all jobs of a client: after a reconnect, thousands of them are
 * asked for at the pace that a service can bear, and wait in this queue with nothing but their place in it.
 */
export const requestBudget = (
  clock: Clock,
  { perSecond = 5, burst = 10 }: RequestBudgetOptions = {},
): RequestBudget => {
  const queues: Readonly<Record<TurnRank, Set<Turn>>> = { rest: new Set(), end: new Set(), look: new Set() };
  const inOrder = [queues.rest, queues.end, queues.look];
  let tokens = burst;
  let countedAt = clock.now();
  let cancelTimer: CancelTimer | undefined;

  const refill = (): void => {
    const now = clock.now();
    tokens = Math.min(burst, tokens + ((now - countedAt) * perSecond) / 1000);
    countedAt = now;
  };
  const serve = (): void => {
    cancelTimer = undefined;
    refill();
    // A turn that is taken may ask for another one, of any rank.
    for (let queue = waiting(); tokens >= 1 && queue !== undefined; queue = waiting()) {
      const [turn] = queue;
      if (turn === undefined) break;
      tokens -= 1;
      queue.delete(turn);
      turn.taken();
    }
    if (waiting() !== undefined)
      cancelTimer ??= clock.after(Math.ceil(((1 - tokens) * 1000) / perSecond), serve);
  };
  const waiting = (): Set<Turn> | undefined => inOrder.find(({ size }) => size > 0);
  const enter = (turn: Turn, rank: TurnRank = 'look'): void => {
    queues[rank].add(turn);
    // While a timer is set there is nothing to give.
    if (cancelTimer === undefined) serve();
  };
  const leave = (turn: Turn): void => {
    const wasWaiting = inOrder.map((queue) => queue.delete(turn)).includes(true);
    if (!wasWaiting || waiting() !== undefined) return;
    cancelTimer?.();
    cancelTimer = undefined;
  };
  const turnsOf = (rank: TurnRank): Observable<void> =>
    new Observable((subscriber) => {
      const turn: Turn = {
        taken: () => {
          subscriber.next();
          subscriber.complete();
        },
      };
      enter(turn, rank);
      return () => leave(turn);
    });

  return { enter, leave, turns: turnsOf('look'), turnsOf };
};
