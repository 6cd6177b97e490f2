import type { ServiceError } from '../protocol/errors/errors.js';
import { serviceError } from '../protocol/errors/service-error.js';

/** The submissions of a client and their jobs, as far as they are not settled. */
export interface OpenWork {
  /** Why nothing is submitted any more; undefined until `drain`. */
  readonly refusal: () => ServiceError | undefined;
  /** Counts one more piece of work; call the result once, when it is settled. */
  readonly begin: () => () => void;
  /** Fires with the first `drain`. */
  readonly draining: AbortSignal;
  /** Refuses new submissions from now on, and resolves once nothing is open. */
  readonly drain: () => Promise<void>;
}

/** Counts the open work of one client. */
export const openWork = (): OpenWork => {
  const draining = new AbortController();
  let waiting: (() => void)[] = [];
  let open = 0;

  const settle = (): void => {
    open -= 1;
    if (open > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };

  return {
    refusal: () => (draining.signal.aborted ? serviceError('Draining', {}) : undefined),
    begin: () => {
      open += 1;
      return settle;
    },
    draining: draining.signal,
    drain: () => {
      draining.abort();
      return new Promise((resolve) => {
        if (open === 0) resolve();
        else waiting.push(resolve);
      });
    },
  };
};
