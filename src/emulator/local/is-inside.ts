/** True for a folder below the one that is served. */
export const isInside = (subfolder: string): boolean =>
  !subfolder.startsWith('/') && !subfolder.split('/').includes('..');
