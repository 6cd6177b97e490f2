import { UsageError } from '../usage-error.js';
import type { Assignment } from './assignment.js';
import type { LostNumber } from './lost-numbers.js';

/** Refuses a workflow file with numbers that could not be sent as they stand there, unless `--set` replaces them. */
export const refuseLostNumbers = (
  file: string,
  lost: readonly LostNumber[],
  replaced: readonly Assignment[],
): void => {
  const [first, ...more] = lost.filter(({ path }) => !replaced.some((item) => isAt(item, path)));
  if (first === undefined) return;
  const { text, path, line } = first;
  const [nodeId, , input] = path;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const remedy =
    path.length === 3 && path[1] === 'inputs'
      ? `--set '${nodeId}.${input}="${text}"'`
      : `"${text}" in place of ${text}`;
  throw new UsageError(
    `${file === '-' ? 'standard input' : file}, line ${line}: ${path.join('.')} is ${text}${others}, which can't be ` +
      `sent exactly: numbers here hold integers up to ${Number.MAX_SAFE_INTEGER} only, and a rounded seed is another ` +
      `seed. Send it as text, which the service reads as an integer: ${remedy}`,
  );
};

const isAt = ({ nodeId, input }: Assignment, path: readonly string[]): boolean =>
  path[0] === nodeId && path[1] === 'inputs' && path[2] === input;
