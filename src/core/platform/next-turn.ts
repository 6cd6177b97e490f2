import type { Clock } from './platform.js';

/** Resolves in another turn of the event loop, in which others have had theirs. */
export const nextTurn = (clock: Pick<Clock, 'after'>): Promise<void> =>
  new Promise((resolve) => void clock.after(0, resolve));
