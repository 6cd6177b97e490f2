/** True for a file name that names no other folder. */
export const isPlainName = (name: string): boolean =>
  name !== '' && !name.startsWith('/') && !name.includes('..');

/** True for a folder below the one that is served. */
export const isInside = (subfolder: string): boolean =>
  !subfolder.startsWith('/') && !subfolder.split('/').includes('..');
