import { isServiceError } from '../../remote.js';

/** What went wrong and what to do, in words. */
export interface Failure {
  readonly message: string;
  readonly hint?: string;
  /** Whether signing in may help. */
  readonly isRefused: boolean;
}

/** Says an error in words, also one of the page itself, since a silent page helps no one. */
export const failureOf = (error: unknown): Failure => {
  if (isServiceError(error)) {
    const { message, hint, _tag } = error;
    return { message, ...(hint !== '' && { hint }), isRefused: _tag === 'Unauthorized' };
  }
  return { message: error instanceof Error ? error.message : String(error), isRefused: false };
};
