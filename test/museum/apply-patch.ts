import type { Patch } from './patch.js';

/** The source with the bug in it; throws where the place is not there exactly once, because it was changed meanwhile. */
export const applyPatch = (source: string, { id, file, find, replace }: Patch): string => {
  const parts = source.split(find);
  if (parts.length !== 2)
    throw new Error(
      `The patch ${id} finds its place ${parts.length - 1} times in ${file}. Look where the bug would be made today, and renew it.`,
    );
  return parts.join(replace);
};
