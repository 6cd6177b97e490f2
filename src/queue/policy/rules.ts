/** The times and choices by which a worker finds out what became of a submission. */
export interface SubmissionRules {
  /** How long a submission may take until its answer, in milliseconds: later none is under way. */
  readonly deadlineMs: number;
  /** How far the lists of the service may trail behind its answers, in milliseconds. */
  readonly lagMs: number;
  /** How long a worker waits between two looks, in milliseconds. */
  readonly lookEveryMs: number;
  /** How long the service keeps the key of a submission, in milliseconds. */
  readonly keyLifeMs: number;
  /**
   * What happens to a job of which the service shows no trace where that proves nothing: `never` leaves it to a person, and
   * `notFound` submits it again, which may cost twice.
   */
  readonly resubmit: 'never' | 'notFound';
}

/** The rules of a worker without options. The service keeps a key for 24 hours: the last one is a margin for the clocks. */
export const defaultRules: SubmissionRules = {
  deadlineMs: 30_000,
  lagMs: 60_000,
  lookEveryMs: 15_000,
  keyLifeMs: 23 * 60 * 60 * 1000,
  resubmit: 'never',
};
