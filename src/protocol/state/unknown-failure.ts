import type { JobFailure } from './job-failure.js';
import { noNodeErrors } from '../answers/node-errors.js';

const noReason = 'The service gave no reason.';
const endedAs = 'The service ended the job as "';

/** The failure of a job that the service reports as failed, without a reason. */
export const unknownFailure = (exceptionMessage = noReason): JobFailure => ({
  exceptionType: 'Unknown',
  exceptionMessage,
  traceback: [],
  nodeErrors: noNodeErrors,
});

/** The failure of a job that the service ended with this word, without a reason. */
export const failureByWord = (word: string): JobFailure => unknownFailure(`${endedAs}${word}".`);

/** How much a failure says: 0 where it gives no reason, more for a text, an exception's name, the node. */
export const reasonOf = ({ exceptionType, exceptionMessage, nodeId }: JobFailure): number => {
  if (nodeId !== undefined) return 3;
  if (exceptionType !== 'Unknown') return 2;
  return exceptionMessage === noReason || exceptionMessage.startsWith(endedAs) ? 0 : 1;
};
