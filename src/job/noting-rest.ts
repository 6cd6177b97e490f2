import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Rest } from '../http/rest.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { KnownJobs } from './known-jobs.js';

/** The same calls; each job that status or history answers for is noted as known. */
export const notingRest = (rest: Rest, known: KnownJobs): Rest => {
  const noting = <A>(
    promptId: string,
    answer: TE.TaskEither<ServiceError, A>,
  ): TE.TaskEither<ServiceError, A> =>
    pipe(
      answer,
      TE.tapIO(() => () => known.add(promptId)),
    );
  return {
    ...rest,
    jobStatus: (promptId, options) => noting(promptId, rest.jobStatus(promptId, options)),
    history: (promptId, options) => noting(promptId, rest.history(promptId, options)),
  };
};
