import { UsageError } from '../usage-error.js';
import { lostNumbers } from './lost-numbers.js';

/**
 * Reads the value of `--set`: JSON where it is JSON, else text as it stands. Numbers that this program would change on
 * the way (integers beyond 2^53, more than a double holds) are refused rather than sent as others.
 */
export const parseValue = (text: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const [lost] = lostNumbers(text);
  if (lost !== undefined) {
    throw new UsageError(
      `${lost.text} can't be sent exactly: numbers here hold integers up to ${Number.MAX_SAFE_INTEGER} only. ` +
        `Use a smaller one, or write it as text ("${lost.text}") if the node reads text.`,
    );
  }
  return value;
};
