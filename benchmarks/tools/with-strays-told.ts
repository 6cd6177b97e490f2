/**
 * Does work among programs that may throw where nobody can catch it, as some peers do after a job that hung: what they throw
 * is told on stderr, and does not end this process.
 */
export const withStraysTold = async <A>(work: () => Promise<A>): Promise<A> => {
  const tell = (error: unknown): void => console.error('thrown where nobody catches it:', error);
  process.on('unhandledRejection', tell).on('uncaughtException', tell);
  try {
    return await work();
  } finally {
    process.off('unhandledRejection', tell).off('uncaughtException', tell);
  }
};
