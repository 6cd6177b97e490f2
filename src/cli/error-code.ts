/** The system's code of an error, such as `ENOENT`; undefined for any other error. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
