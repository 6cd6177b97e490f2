import { decideMatch, type Observation, settledAt, type Decision } from '../../../core/lost/decide-match.js';
import type { Intent, SubmissionRecord } from './intent.js';
import type { SubmissionIds } from '../../../core/lost/submission-ids.js';
import type { SubmissionRules } from './rules.js';

/** What a worker does next with a job that it holds. */
export type Step =
  /** The job is over. */
  | { readonly _tag: 'finished' }
  /** Store an intent, then submit: with this id where there is one, else with a new one. */
  | { readonly _tag: 'submit'; readonly attempt: number; readonly repeat?: Intent }
  | Decision;

/**
 * Decides what a worker does with a job, from its record and from what the worker saw of the submission: pure.
 *
 * A submission whose answer is missing is never repeated unless the service can't run it twice, or has shown that it never came.
 *
 * @param observations - What this worker saw since it took the job, the latest last.
 * @param now - By the store's clock, in milliseconds since 1970.
 */
export const nextStep = (
  { intent, promptId, hasEnded }: SubmissionRecord,
  observations: readonly Observation[],
  rules: SubmissionRules,
  now: number,
): Step => {
  if (hasEnded === true) return { _tag: 'finished' };
  if (promptId !== undefined) return { _tag: 'attach', promptId };
  if (intent === undefined) return { _tag: 'submit', attempt: 1 };
  return findOut[intent.submissionIds]({ intent, observations, rules, now });
};

interface Open {
  readonly intent: Intent;
  readonly observations: readonly Observation[];
  readonly rules: SubmissionRules;
  readonly now: number;
}

/**
 * The id is the job's own: the service has such a job, or the submission never came. Two observations say the latter, since a service that
 * was stuck for longer than the deadline may answer the first one before it comes to a submission that arrived earlier.
 */
const byId = ({ intent, observations, rules, now }: Open): Step => {
  const last = observations.at(-1);
  const [promptId] = last?.marked ?? [];
  if (promptId !== undefined) return { _tag: 'attach', promptId };
  const listedFrom = settledAt(intent.at, rules);
  if (last === undefined) return { _tag: 'observe', at: now };
  if (last.at < listedFrom) return { _tag: 'observe', at: Math.min(listedFrom, now + rules.lookEveryMs) };
  const late = observations.filter(({ at }) => at >= listedFrom);
  if (late.length < 2) return { _tag: 'observe', at: last.at + rules.lookEveryMs };
  return { _tag: 'submit', attempt: intent.attempt + 1, repeat: intent };
};

/** The service takes one submission of a key: the same one once more shows whether it came. Each observation is such a refusal. */
const byKey = (open: Open): Step => {
  const { intent, observations, rules, now } = open;
  if (observations.length > 0) return decideMatch({ ...open, sentAt: intent.at }, keyUsed);
  if (now < intent.since + rules.keyLifeMs) {
    return { _tag: 'submit', attempt: intent.attempt + 1, repeat: intent };
  }
  const reason = 'The service has forgotten the key of this submission, so a repetition could run twice.';
  return { _tag: 'unknown', reason, candidates: [] };
};

/** The service has no place for an id: the job is found by its marker or by its workflow, or not at all. */
const byTrace = (open: Open): Step => {
  const { intent, rules } = open;
  const step = decideMatch({ ...open, sentAt: intent.at }, noTrace);
  return step._tag === 'unknown' && step.candidates.length === 0 && rules.resubmit === 'notFound'
    ? { _tag: 'submit', attempt: intent.attempt + 1 }
    : step;
};

const keyUsed = 'The service has used the key of this submission, and shows no job of it.';
const noTrace = 'The answer to the submission was lost, and the service shows no job of it.';

const findOut: Readonly<Record<SubmissionIds, (open: Open) => Step>> = {
  jobs: byId,
  // A local server lists each job with its marker, so that its absence proves as much as that of an id.
  unproven: byId,
  keys: byKey,
  none: byTrace,
};
