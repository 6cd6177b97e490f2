import type { Clock } from './platform.js';

/** As `AbortSignal.timeout`, on the platform's clock: the signal fires after `ms`. Its timer keeps no process alive. */
export const abortAfter = (clock: Pick<Clock, 'after'>, ms: number): AbortSignal => {
  const controller = new AbortController();
  const fire = (): void => controller.abort(new DOMException('The time is over.', 'TimeoutError'));
  clock.after(ms, fire, { background: true });
  return controller.signal;
};
