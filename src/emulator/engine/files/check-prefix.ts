import { NodeFailure } from '../node-class.js';

/** Ends the node as an engine does whose saver is given a prefix that leaves its folder, or that no file system takes. */
export const checkPrefix = (prefix: string): void => {
  if (prefix.includes('\0')) throw new NodeFailure('ValueError', 'embedded null byte');
  if (leavesFolder(prefix))
    throw new NodeFailure('Exception', 'Saving image outside the output folder is not allowed.');
};

/** The last part is the beginning of a file's name, whatever it is. */
const leavesFolder = (prefix: string): boolean => {
  if (prefix.startsWith('/')) return true;
  let depth = 0;
  for (const part of prefix.split('/').slice(0, -1)) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
};
