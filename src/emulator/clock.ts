/** The emulator's only source of time: real by default, virtual where a test advances it. */
export interface EmulatorClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `work` once after `delayMs`; the result cancels it. */
  readonly after: (delayMs: number, work: () => void) => () => void;
  /** Resolves in the next turn of the event loop, after all work that is due. */
  readonly turn: () => Promise<void>;
}

/** The process's own time. */
export const realClock: EmulatorClock = {
  now: () => Date.now(),
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
};

/** Resolves after `delayMs`; at once for 0. Closing an emulator closes its connections and leaves its pauses to run out. */
export const pause = async ({ after }: Pick<EmulatorClock, 'after'>, delayMs: number): Promise<void> => {
  if (delayMs > 0) await new Promise<void>((resolve) => after(delayMs, resolve));
};

/** A clock whose time passes only in `advance`. */
export interface VirtualClock extends EmulatorClock {
  /**
   * Advances the time by `ms` milliseconds. Timers fire in the order of their times, and the work that one starts runs
   * before the next fires. Resolves when all work that was due is done.
   */
  readonly advance: (ms: number) => Promise<void>;
}

/**
 * Makes a clock for `startEmulator({ clock })` whose time passes only in `advance`, so that a job of three hours is
 * over in a moment.
 *
 * It starts at `startsAt`, milliseconds since 1970; by default at the start of 2026. Only the emulator's time is virtual:
 * its sockets and its clients' time are real. Await an answer or a message before the next `advance` where the order of
 * the two matters.
 *
 * @example
 * ```ts
 * import { createClient, toPromise } from 'promptwire';
 * import { startEmulator, textToImageWorkflow, virtualClock } from 'promptwire/emulator';
 *
 * const clock = virtualClock();
 * await using emulator = await startEmulator({ clock, speed: 0.001 });
 * await using client = createClient(emulator);
 * const job = await toPromise(client.submit(textToImageWorkflow({ steps: 20 })));
 * await clock.advance(3 * 3_600_000);
 * console.log(Object.keys(await toPromise(job.outputs)));
 * ```
 */
export const virtualClock = (startsAt = Date.UTC(2026, 0, 1)): VirtualClock => {
  let now = startsAt;
  let turnsToCome = 0;
  const timers = new Set<Timer>();

  const turn = async (): Promise<void> => {
    turnsToCome += 1;
    await realClock.turn();
    turnsToCome -= 1;
  };
  /** Resolves when no turn is awaited any more; the last turn lets written bytes be read. */
  const settle = async (): Promise<void> => {
    do await realClock.turn();
    while (turnsToCome > 0);
    await realClock.turn();
  };
  const dueBy = (until: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (timer.at <= until && timer.at < (first?.at ?? Infinity)) first = timer;
    return first;
  };

  return {
    now: () => now,
    after: (delayMs, work) => {
      const timer = { at: now + Math.max(0, delayMs), work };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    turn,
    advance: async (ms) => {
      const until = now + ms;
      await settle();
      for (let due = dueBy(until); due !== undefined; due = dueBy(until)) {
        timers.delete(due);
        now = Math.max(now, due.at);
        due.work();
        await settle();
      }
      now = Math.max(now, until);
    },
  };
};

interface Timer {
  readonly at: number;
  readonly work: () => void;
}
