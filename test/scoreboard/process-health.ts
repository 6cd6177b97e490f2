/**
 * Collects what no process of the board may see: unhandled rejections and exceptions, and warnings.
 *
 * The result gives it, and stops. It waits first: rejections are reported after a turn of the event loop, RxJS's unhandled
 * errors by a timer.
 */
export const watchProcess = (): (() => Promise<readonly string[]>) => {
  const seen: string[] = [];
  const on = (what: string) => (problem: unknown) => seen.push(`I11 ${what}: ${String(problem)}`);
  const handlers = [
    ['unhandledRejection', on('unhandled rejection')],
    ['uncaughtException', on('uncaught exception')],
    ['warning', on('warning')],
  ] as const;
  for (const [event, handler] of handlers) process.on(event, handler);
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const [event, handler] of handlers) process.off(event, handler);
    return seen;
  };
};
