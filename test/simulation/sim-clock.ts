import type { CancelTimer, Clock } from '../../src/core/platform/platform.js';
import { timerHeap, type Timer } from './timer-heap.js';

const minuteMs = 60_000;

/** Virtual time for a client and the service that it talks to; the client's machine may sleep, the service goes on. */
export interface SimClock {
  readonly now: () => number;
  /** The client's seam to time. */
  readonly client: Clock;
  /** Timers that the client has set and that are not yet due. */
  readonly clientTimers: () => number;
  /** Calls on the service's side, which run while the client's machine sleeps. */
  readonly at: (delayMs: number, work: () => void) => void;
  /** Calls what reaches the client: it waits while the machine sleeps. */
  readonly deliver: (delayMs: number, work: () => void) => void;
  /** Puts the client's machine to sleep; both of its clocks have gone on when it wakes. */
  readonly sleep: (ms: number) => void;
  readonly isAsleep: () => boolean;
  /** Hides the client's page for so long: its timers run once a minute, what reaches it does at once. */
  readonly hide: (ms: number) => void;
  /** Moves the client's wall clock alone. */
  readonly stepWall: (ms: number) => void;
  /** Runs what is due until a time, or until `done` says so; promises settle between any two timers. */
  readonly run: (until: number, done?: () => boolean) => Promise<void>;
}

/** Makes a {@link SimClock} that begins at 0 (wall: the first second of 2026). */
export const simClock = (): SimClock => {
  const timers = timerHeap();
  let now = 0;
  let order = 0;
  let wallOffset = 0;
  let asleepUntil = 0;
  let ofClient = 0;

  let hiddenUntil = 0;

  const set = (delayMs: number, work: () => void, waits: boolean): Timer => {
    const timer: Timer = {
      at: now + Math.max(0, delayMs),
      order: (order += 1),
      work,
      ofClient: waits,
      live: true,
    };
    timers.push(timer);
    return timer;
  };
  const after = (delayMs: number, work: () => void): CancelTimer => {
    ofClient += 1;
    let isSet = true;
    const over = (): void => {
      if (isSet) ofClient -= 1;
      isSet = false;
      timer.live = false;
    };
    let isThrottled = false;
    const run = (): void => {
      if (now < hiddenUntil && !isThrottled) {
        isThrottled = true;
        timer = set(Math.min(minuteMs - (now % minuteMs), hiddenUntil - now), run, true);
        return;
      }
      over();
      work();
    };
    let timer = set(delayMs, run, true);
    return over;
  };
  const runNext = (): boolean => {
    const timer = timers.pop()!;
    if (!timer.live) return false;
    now = Math.max(now, timer.at);
    if (timer.ofClient && now < asleepUntil) {
      timer.at = asleepUntil;
      timer.order = order += 1;
      timers.push(timer);
      return false;
    }
    timer.work();
    return true;
  };

  return {
    now: () => now,
    client: { now: () => now, wall: () => 1_767_225_600_000 + wallOffset + now, after },
    clientTimers: () => ofClient,
    at: (delayMs, work) => void set(delayMs, work, false),
    deliver: (delayMs, work) => void set(delayMs, work, true),
    sleep: (ms) => (asleepUntil = Math.max(asleepUntil, now + ms)),
    hide: (ms) => (hiddenUntil = Math.max(hiddenUntil, now + ms)),
    isAsleep: () => now < asleepUntil,
    stepWall: (ms) => (wallOffset += ms),
    run: async (until, done = () => false) => {
      await settled();
      while (!done()) {
        const next = timers.peek();
        if (next === undefined || next.at > until) {
          now = Math.max(now, until);
          return;
        }
        if (runNext()) await settled();
      }
    },
  };
};

/**
 * Resolves once every promise that can settle has: a tick that is asked for while promises are being run comes after all
 * of them, so one tick is enough, and no turn of the event loop is spent.
 */
const settled = async (): Promise<void> => {
  await Promise.resolve();
  await new Promise<void>((resolve) => process.nextTick(resolve));
};
