/**
 * The key under which two names would meet on some file system: case and composition do not count.
 */
export const collisionKey = (name: string): string =>
  name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
