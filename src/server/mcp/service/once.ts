/** Asks once for what does not change, and again after a failure. */
export const once = <A>(ask: () => Promise<A>): (() => Promise<A>) => {
  let asked: Promise<A> | undefined;
  return async () => {
    asked ??= ask();
    try {
      return await asked;
    } catch (error) {
      asked = undefined;
      throw error;
    }
  };
};
