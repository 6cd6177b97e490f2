import type { EmulatorClock } from '../clock.js';

/** Emits at most one value per interval: the first at once, then the latest. */
export interface LatestOnly<A> {
  readonly push: (value: A) => void;
  /** Emits a value that waits. */
  readonly flush: () => void;
  /** Drops a value that waits. */
  readonly stop: () => void;
}

/** Makes a {@link LatestOnly}. */
export const createLatestOnly = <A>(
  { now, after }: Pick<EmulatorClock, 'now' | 'after'>,
  intervalMs: number,
  emit: (value: A) => void,
): LatestOnly<A> => {
  let emittedAt: number | undefined;
  let waiting: { readonly value: A } | undefined;
  let cancel: (() => void) | undefined;

  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    const next = waiting;
    waiting = undefined;
    if (next === undefined) return;
    emittedAt = now();
    emit(next.value);
  };
  return {
    push: (value) => {
      waiting = { value };
      const wait = emittedAt === undefined ? 0 : emittedAt + intervalMs - now();
      if (wait <= 0) flush();
      else if (wait < Infinity) cancel ??= after(wait, flush);
    },
    flush,
    stop: () => {
      cancel?.();
      cancel = undefined;
      waiting = undefined;
    },
  };
};
