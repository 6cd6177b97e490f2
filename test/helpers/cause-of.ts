/** What a promise rejects with; undefined where it resolves. */
export const causeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
