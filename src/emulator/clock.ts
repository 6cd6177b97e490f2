/** The emulator's only source of time: real by default, virtual where a test says when time passes. */
export interface EmulatorClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `work` once after `delayMs`; the result cancels it. */
  readonly after: (delayMs: number, work: () => void) => () => void;
  /** Resolves after everything else that is due has had its turn. */
  readonly turn: () => Promise<void>;
}

/** Time as the process has it. */
export const realClock: EmulatorClock = {
  now: () => Date.now(),
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
};

/** Resolves once `delayMs` have passed; at once for none. The end of an emulator ends its connections, not its pauses. */
export const pause = async ({ after }: Pick<EmulatorClock, 'after'>, delayMs: number): Promise<void> => {
  if (delayMs > 0) await new Promise<void>((resolve) => after(delayMs, resolve));
};
