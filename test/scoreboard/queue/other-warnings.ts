/** Passes on each warning of a queue but that its server is away, which outages make on purpose. */
export const otherWarnings = (message: string): void => {
  if (!/^Redis at \S+ can't be used for 3 s now/u.test(message))
    process.emitWarning(message, 'PromptwireQueue');
};
