/** Waits for a number of things to happen. */
export interface Countdown {
  readonly tick: () => void;
  /** Resolves at the `count`-th tick from now. */
  readonly wait: (count: number) => Promise<void>;
}

export const countdown = (): Countdown => {
  let left = 0;
  let done = (): void => undefined;
  return {
    tick: () => {
      left -= 1;
      if (left === 0) done();
    },
    wait: (count) =>
      new Promise((resolve) => {
        left = count;
        done = resolve;
      }),
  };
};
