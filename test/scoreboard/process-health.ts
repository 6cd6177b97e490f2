/** Counts what no process of the board may see: rejections and exceptions that nobody handles, and warnings. */
export const watchProcess = (): (() => readonly string[]) => {
  const seen: string[] = [];
  const on = (what: string) => (problem: unknown) => seen.push(`I11 ${what}: ${String(problem)}`);
  const handlers = [
    ['unhandledRejection', on('unhandled rejection')],
    ['uncaughtException', on('uncaught exception')],
    ['warning', on('warning')],
  ] as const;
  for (const [event, handler] of handlers) process.on(event, handler);
  return () => {
    for (const [event, handler] of handlers) process.off(event, handler);
    return seen;
  };
};
