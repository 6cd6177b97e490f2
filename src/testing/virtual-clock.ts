import type { Clock } from '../core/platform/platform.js';
import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';

/**
 * A clock that stands still until the test advances it.
 *
 * Promises settle between any two timers, so what a client does in answer to one timer is done before the next one is due.
 * It waits for turns of the event loop and not for real time, but where `until` is about to give up, and needs no fake timers of a
 * test runner.
 */
export interface VirtualClock extends Clock {
  /** Lets `ms` milliseconds pass: due timers run in order, and promises settle between them. */
  readonly advance: (ms: number) => Promise<void>;
  /**
   * Lets time pass until the promise settles, and settles as it does.
   *
   * Rejects with an `Error` where the promise is still pending after `withinMs` milliseconds, one hour by default, or where no
   * timer is left that could settle it. Before that, work on other threads, such as a digest, gets up to
   * a second of real time, and what follows it `withinMs` anew.
   */
  readonly until: <A>(promise: PromiseLike<A>, withinMs?: number) => Promise<A>;
  /**
   * Lets time pass until no timer is left but those of the background, such as a socket's pings.
   *
   * Rejects with an `Error` where others are left after `withinMs` milliseconds, one hour by default.
   */
  readonly runUntilIdle: (withinMs?: number) => Promise<void>;
  /** Moves the wall clock alone, as a machine that slept or a time server does. */
  readonly stepWall: (ms: number) => void;
  /** Lets `ms` milliseconds pass in which no timer can run, as in a busy program; what came due then runs with the next `advance`. */
  readonly block: (ms: number) => void;
  /** Returns how many timers are set and not yet due. */
  readonly pending: () => number;
  /** The same time as a scheduler of RxJS: `delay(100, clock.scheduler)`. */
  readonly scheduler: SchedulerLike;
}

/**
 * Makes a {@link VirtualClock} that begins at 0, and by its wall clock with the first second of 2026.
 *
 * @example
 * ```ts
 * import { virtualClock } from 'promptwire/testing';
 * import { timer } from 'rxjs';
 *
 * const clock = virtualClock();
 * timer(60_000, clock.scheduler).subscribe(() => console.log(clock.now())); // 60000
 * void clock.advance(60_000);
 * ```
 */
export const virtualClock = (): VirtualClock => {
  let now = 0;
  let wallOffset = 0;
  let timers: VirtualTimer[] = [];

  const after: Clock['after'] = (delayMs, work, { background = false } = {}) => {
    const timer = { at: now + Math.max(0, delayMs), work, background };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  /** Of several timers of one time, the one that was set first. */
  const first = (): VirtualTimer | undefined =>
    timers.reduce<VirtualTimer | undefined>(
      (soonest, timer) => (soonest === undefined || timer.at < soonest.at ? timer : soonest),
      undefined,
    );
  const run = async (timer: VirtualTimer): Promise<void> => {
    timers = timers.filter((other) => other !== timer);
    now = Math.max(now, timer.at);
    timer.work();
    await settle();
  };
  /** Runs what is due up to a time, while `goesOn` says so. */
  const runTo = async (limit: number, goesOn: () => boolean): Promise<void> => {
    await settle();
    for (let next = first(); goesOn() && next !== undefined && next.at <= limit; next = first())
      await run(next);
  };

  return {
    now: () => now,
    wall: () => wallAtStart + wallOffset + now,
    after,
    stepWall: (ms) => (wallOffset += ms),
    block: (ms) => (now += ms),
    pending: () => timers.length,
    scheduler: schedulerOn(() => now, after),
    advance: async (ms) => {
      const until = now + ms;
      await runTo(until, () => true);
      now = until;
    },
    until: async (promise, withinMs = hourMs) => {
      const wait = { isOver: false };
      const settled = Promise.resolve(promise).finally(() => (wait.isOver = true));
      settled.catch(() => undefined);
      await runTo(now + withinMs, () => !wait.isOver);
      // What follows such work may take time of its own.
      for (let pause = 0; !wait.isOver && pause < maxPauses; pause += 1) {
        await otherThreads();
        await runTo(now + withinMs, () => !wait.isOver);
      }
      if (!wait.isOver) throw new Error(stillPending(withinMs, first()));
      return settled;
    },
    runUntilIdle: async (withinMs = hourMs) => {
      const isBusy = (): boolean => timers.some(({ background }) => !background);
      await runTo(now + withinMs, isBusy);
      if (isBusy()) throw new Error(`timers are left after ${withinMs} ms of virtual time.`);
    },
  };
};

interface VirtualTimer {
  readonly at: number;
  readonly work: () => void;
  readonly background: boolean;
}

const wallAtStart = 1_767_225_600_000;
const hourMs = 3_600_000;

const stillPending = (withinMs: number, next: VirtualTimer | undefined): string =>
  next === undefined
    ? 'the promise is pending, and no timer is left that could settle it.'
    : `the promise is pending after ${withinMs} ms of virtual time.`;

/** Bodies and blobs settle some turns of the event loop after the promise that asked for them. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => nextTurn(resolve));
};

/** Taken when the module loads: later a test runner may have put fake timers in place. */
const { setImmediate: immediate, setTimeout: timeout } = globalThis as unknown as {
  readonly setImmediate?: (work: () => void) => unknown;
  readonly setTimeout: (work: () => void, ms: number) => unknown;
};
const nextTurn = (work: () => void): unknown =>
  immediate === undefined ? timeout(work, 0) : immediate(work);

/** Digests and compression settle when a thread is done with them, which no number of turns tells on a busy machine. */
const otherThreads = (): Promise<void> => new Promise((resolve) => timeout(resolve, 10));
const maxPauses = 100;

const schedulerOn = (now: () => number, after: Clock['after']): SchedulerLike => ({
  now,
  schedule: <State>(
    work: (this: SchedulerAction<State>, state?: State) => void,
    delayMs = 0,
    first?: State,
  ): Subscription => {
    const action = Object.assign(new Subscription(), {
      schedule: (state?: State, againMs = 0): Subscription => {
        action.add(after(againMs, () => work.call(action, state)));
        return action;
      },
    });
    return action.schedule(first, delayMs);
  },
});
