import { posix } from 'node:path';

/** The path of a file or folder below the folder of the user, empty for this one itself; undefined for one outside. */
export const pathInUser = (given: string): string | undefined => {
  // The engine decodes a path with a percent sign once more than the address.
  const text = given.includes('%') ? unquoted(given) : given;
  const root = '/user';
  const path = posix.resolve(root, text);
  if (path === root) return '';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
};

/** As Python decodes a text: what is no code stays as it is, and bytes that are no UTF-8 become U+FFFD. */
const unquoted = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/giu, (codes) =>
    Buffer.from(codes.replaceAll('%', ''), 'hex').toString(),
  );

/** The folders in which a file is, which last longer than it. */
export const foldersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\//gu)].map(({ index }) => path.slice(0, index));

/** Whether a list of a folder leaves a path out, as a pattern of a shell does. */
export const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));
