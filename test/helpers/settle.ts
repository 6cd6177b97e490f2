import { virtualClock } from '../../src/testing/virtual-clock.js';

/** Lets all promises settle, and lets no time pass: the clock has no timers. */
export const settle = (): Promise<void> => virtualClock().advance(0);
