import { messageOf } from '../error-message.js';
import { nameOutputs } from '../../workflow.js';
import { UsageError } from '../cli-io.js';

/** Checks the pattern of `--name` before anything is sent; throws a `UsageError` with the reason. */
export const readPattern = (pattern: string): string => {
  try {
    nameOutputs([], { pattern });
    return pattern;
  } catch (error) {
    throw new UsageError(`--name: ${messageOf(error)}`);
  }
};
