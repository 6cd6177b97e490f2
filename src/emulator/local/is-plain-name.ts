/** True for a file name that names no other folder. */
export const isPlainName = (name: string): boolean =>
  name !== '' && !name.startsWith('/') && !name.includes('..');
