/**
 * The key under which two names would meet on some file system: case and composition do not count.
 *
 * Upper case comes last, since both forms of the sharp s become SS only from its lower case.
 */
export const collisionKey = (name: string): string =>
  name.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
