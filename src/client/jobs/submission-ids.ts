import * as E from '../../core/protocol/either.js';
import type { JobGuarantees } from '../dialects/dialect.js';
import type { SubmissionIds } from '../../core/lost/submission-ids.js';
import type { JobRest } from '../../core/http/rest.js';
import { withCandidates } from '../../core/errors/service-error.js';

/** What the service of a client makes of the ids of submissions, as far as it has shown it. */
export interface LearnedIds {
  /** `unproven` until an accepted answer has shown that the service takes them, where only some servers of the dialect do. */
  readonly value: SubmissionIds;
  /** A job with the id of its submission was found. */
  readonly areTaken: () => void;
  /** The same submission, with an id of its own where the service may take it; its answer shows whether it does. */
  readonly learning: (submit: JobRest['submit']) => JobRest['submit'];
}

/**
 * Learns whether a server takes the ids of submissions. Engines before July 2025 ignore them (docs/protocol.md, L.6), and nothing but
 * an accepted answer shows it: so until then no id counts as that of a job.
 */
export const learnedIds = (
  { submissionIds }: Pick<JobGuarantees, 'submissionIds'>,
  uuid: () => string,
): LearnedIds => {
  if (submissionIds !== 'unproven')
    return { value: submissionIds, areTaken: () => undefined, learning: (submit) => submit };
  let isTaken = false;
  return {
    get value() {
      return isTaken ? 'jobs' : 'unproven';
    },
    areTaken: () => (isTaken = true),
    learning:
      (submit) =>
      (workflow, options = {}) =>
      async () => {
        const submissionId = options.submissionId ?? uuid();
        const answer = await submit(workflow, { ...options, submissionId })();
        if (E.isRight(answer)) isTaken = answer.right.promptId === submissionId;
        // The id is that of the job, if there is one.
        else if (isTaken) return E.left(withCandidates(answer.left, [submissionId]));
        return answer;
      },
  };
};
