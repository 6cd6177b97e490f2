/** What a service showed when it was asked for the job of a submission. */
export interface Observation {
  /** When the service was asked, in milliseconds since 1970. */
  readonly at: number;
  /** Jobs that are provably of this submission: by their id, or by a marker that the service returns. */
  readonly marked: readonly string[];
  /** Jobs with the same workflow that are not older and are known as no other submission's. */
  readonly alike: readonly string[];
}

/** The times by which the job of a submission is looked for whose answer was lost. */
export interface LookRules {
  /** How long a submission may take until its answer, in milliseconds: later none is under way; a second more for each 32 KiB of it. Default 30 000. */
  readonly deadlineMs: number;
  /** How far the lists of the service may trail behind its answers, in milliseconds. Default 60 000. */
  readonly lagMs: number;
  /** How long to wait between two observations, in milliseconds. Default 15 000. */
  readonly lookEveryMs: number;
}

export const defaultLookRules: LookRules = { deadlineMs: 30_000, lagMs: 60_000, lookEveryMs: 15_000 };

/** The rules for a submission of so many bytes: it may need a second more for each 32 KiB on a slow line. */
export const slowed = <Rules extends Pick<LookRules, 'deadlineMs'>>(rules: Rules, bytes: number): Rules => ({
  ...rules,
  deadlineMs: rules.deadlineMs + Math.floor(bytes / (32 * 1024)) * 1000,
});

/** What follows from the observations of a service. */
export type Decision =
  /** Follow the job with this id. */
  | { readonly _tag: 'attach'; readonly promptId: string }
  /** Ask the service once more for the job of the submission, not before this moment. */
  | { readonly _tag: 'observe'; readonly at: number }
  /** Nothing the service shows can decide it: a person has to. */
  | { readonly _tag: 'unknown'; readonly reason: string; readonly candidates: readonly string[] };

/** The observations of a lost submission, and the rules by which {@link decideMatch} decides. */
export interface MatchInput {
  /** When the submission may have left last, in milliseconds since 1970. */
  readonly sentAt: number;
  /** The latest last. */
  readonly observations: readonly Observation[];
  readonly rules: LookRules;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/**
 * Decides what a lost submission became, from what the lists of the service showed: pure.
 *
 * A marked job decides at once. Jobs that are only alike count when one would be listed for certain, and after two observations at least.
 *
 * @param reason - Why nothing is known, where the service shows no job.
 */
export const decideMatch = ({ sentAt, observations, rules, now }: MatchInput, reason: string): Decision => {
  const last = observations.at(-1);
  if (last === undefined) return { _tag: 'observe', at: now };
  const [marked, ...others] = last.marked;
  if (marked !== undefined && others.length === 0) return { _tag: 'attach', promptId: marked };
  if (observations.length < 2 || last.at < settledAt(sentAt, rules)) {
    return { _tag: 'observe', at: last.at + rules.lookEveryMs };
  }
  const candidates = last.marked.length > 0 ? last.marked : last.alike;
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return { _tag: 'attach', promptId: only };
  return { _tag: 'unknown', reason: candidates.length === 0 ? reason : ambiguous, candidates };
};

/** Why several jobs that are alike decide nothing. */
export const ambiguous = 'Several jobs of the service may be the one of this submission.';

/** When every job of a submission would be listed. */
export const settledAt = (sentAt: number, { deadlineMs, lagMs }: LookRules): number =>
  sentAt + deadlineMs + lagMs;
