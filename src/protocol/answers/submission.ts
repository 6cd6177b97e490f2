import type { NodeErrors } from './node-errors.js';

/** The answer of an accepted submission. */
export interface Submission {
  readonly promptId: string;
  readonly number?: number;
  /** Branches that were dropped while the rest was accepted. */
  readonly nodeErrors: NodeErrors;
}
