import { collisionKey } from './collision-key.js';
import { splitName } from './split-name.js';

/**
 * Makes `name` differ from every key in `taken` by `~2`, `~3`, … before its extension, and adds its key to `taken`.
 */
export const uniqueName = (name: string, taken: Set<string>): string => {
  const { stem, extension } = splitName(name);
  let unique = name;
  for (let n = 2; taken.has(collisionKey(unique)); n += 1) unique = `${stem}~${n}${extension}`;
  taken.add(collisionKey(unique));
  return unique;
};
