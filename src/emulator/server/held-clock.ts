import type { EmulatorClock } from '../clock.js';

/** A clock whose work waits while it is held, as that of a process that stands still. */
export interface HeldClock extends EmulatorClock {
  readonly hold: () => void;
  /** Does all work that became due meanwhile, in its order. */
  readonly release: () => void;
  /** Forgets that work, and holds no longer. */
  readonly drop: () => void;
}

/** Makes a clock that can be held out of another one, whose time goes on all the same. */
export const heldClock = (clock: EmulatorClock): HeldClock => {
  let isHeld = false;
  let due: (() => void)[] = [];
  const end = (): readonly (() => void)[] => {
    const all = due;
    [isHeld, due] = [false, []];
    return all;
  };
  return {
    now: clock.now,
    after: (delayMs, work) => {
      let isCancelled = false;
      const once = (): void => {
        if (!isCancelled) work();
      };
      const cancel = clock.after(delayMs, () => (isHeld ? due.push(once) : work()));
      return () => {
        isCancelled = true;
        cancel();
      };
    },
    turn: () => (isHeld ? new Promise((resolve) => due.push(resolve)) : clock.turn()),
    hold: () => {
      isHeld = true;
    },
    release: () => {
      for (const work of end()) work();
    },
    drop: () => {
      end();
    },
  };
};
