const left: (() => Promise<void>)[] = [];

/**
 * Has `close` called after the last test of the file that runs now. A hook that a helper's module registers is
 * not: the files of a project share the module, so only the first of them would run it.
 */
export const afterFile = (close: () => Promise<void>): void => {
  left.push(close);
};

/** Closes what the tests of a file left open. */
export const closeAll = async (): Promise<void> => {
  await Promise.all(left.splice(0).map((close) => close()));
};
