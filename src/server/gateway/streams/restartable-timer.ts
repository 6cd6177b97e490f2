import type { Clock } from '../../../core/platform/platform.js';

/** One timer that keeps no process alive. */
export interface RestartableTimer {
  /** Calls `then` after `afterMs`, and replaces what it was set to. */
  readonly set: (afterMs: number, then: () => void) => void;
  readonly clear: () => void;
  readonly isSet: () => boolean;
}

/** Makes a {@link RestartableTimer} that is not set. */
export const restartableTimer = (clock: Pick<Clock, 'after'>): RestartableTimer => {
  let cancel: (() => void) | undefined;
  const clear = (): void => {
    cancel?.();
    cancel = undefined;
  };
  return {
    set: (afterMs, then) => {
      clear();
      cancel = clock.after(
        afterMs,
        () => {
          cancel = undefined;
          then();
        },
        { background: true },
      );
    },
    clear,
    isSet: () => cancel !== undefined,
  };
};
