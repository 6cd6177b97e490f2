/**
 * Runs `work` with a handler for uncaught errors, which logs them on stderr instead of ending the process: some peers throw outside
 * every promise after a job that hung.
 */
export const logUnhandled = async <A>(work: () => Promise<A>): Promise<A> => {
  const log = (error: unknown): void => console.error('uncaught:', error);
  process.on('unhandledRejection', log).on('uncaughtException', log);
  try {
    return await work();
  } finally {
    process.off('unhandledRejection', log).off('uncaughtException', log);
  }
};
