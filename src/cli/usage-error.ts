/** The command line, a setting or a file named there is not usable; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
