import type { EmulatorClock } from './clock.js';

/** Resolves once `delayMs` have passed; at once for none. The end of an emulator ends its connections, not its pauses. */
export const pause = async ({ after }: Pick<EmulatorClock, 'after'>, delayMs: number): Promise<void> => {
  if (delayMs > 0) await new Promise<void>((resolve) => after(delayMs, resolve));
};
