import { splitName } from './safe-file-name.js';

/** The keys of names that are taken, each with the number that the next name of this key tries first. */
export type TakenNames = Map<string, number>;

/**
 * Makes `name` differ from every key in `taken` by `~2`, `~3`, … before its extension, and adds its key to `taken`.
 */
export const uniqueName = (name: string, taken: TakenNames): string => {
  const key = collisionKey(name);
  const next = taken.get(key);
  if (next === undefined) {
    taken.set(key, 2);
    return name;
  }
  const { stem, extension } = splitName(name);
  for (let n = next; ; n += 1) {
    const unique = `${stem}~${n}${extension}`;
    const uniqueKey = collisionKey(unique);
    if (taken.has(uniqueKey)) continue;
    taken.set(uniqueKey, 2).set(key, n + 1);
    return unique;
  }
};

/**
 * The key under which two names would meet on some file system: case and composition do not count.
 *
 * Upper case comes last, since both forms of the sharp s become SS only from its lower case.
 */
export const collisionKey = (name: string): string =>
  name.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
