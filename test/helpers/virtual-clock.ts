import type { Clock } from '../../src/platform/platform.js';

/** A clock that stands still until the test advances it. */
export interface VirtualClock extends Clock {
  /** Lets `ms` pass: due timers run in order, and promises settle between them. */
  readonly advance: (ms: number) => Promise<void>;
  /** Moves the wall clock alone, as a machine that slept or a time server does. */
  readonly stepWall: (ms: number) => void;
  /** Lets `ms` pass in which no timer can run, as a busy program does; what came due then runs with the next `advance`. */
  readonly block: (ms: number) => void;
  /** Timers that are set and not yet due. */
  readonly pending: () => number;
}

/** Makes a {@link VirtualClock} that begins at 0 (wall: the first second of 2026). */
export const virtualClock = (): VirtualClock => {
  let now = 0;
  let wallOffset = 0;
  let timers: { readonly at: number; readonly work: () => void }[] = [];

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  return {
    now: () => now,
    wall: () => 1_767_225_600_000 + wallOffset + now,
    stepWall: (ms) => (wallOffset += ms),
    block: (ms) => (now += ms),
    after: (delayMs, work) => {
      const timer = { at: now + Math.max(0, delayMs), work };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    pending: () => timers.length,
    advance: async (ms) => {
      const until = now + ms;
      await settle();
      for (;;) {
        const next = timers.reduce<(typeof timers)[number] | undefined>(
          (first, timer) =>
            timer.at <= until && (first === undefined || timer.at < first.at) ? timer : first,
          undefined,
        );
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.work();
        await settle();
      }
      now = until;
    },
  };
};
