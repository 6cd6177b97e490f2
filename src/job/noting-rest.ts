import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Dialect } from '../protocol/dialect.js';
import type { Rest } from '../http/rest.js';
import { isRight } from '../protocol/either.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { KnownJobs } from './known-jobs.js';

/**
 * The same calls; each job that status, history or the jobs API answers for is noted as known.
 *
 * A local server knows a job from its submission's answer on; a cloud service may not for a while.
 */
export const notingRest = (rest: Rest, known: KnownJobs, dialect: Dialect = 'cloud'): Rest => {
  const noting =
    <A>(promptId: string, ask: TaskEither<ServiceError, A>): TaskEither<ServiceError, A> =>
    () =>
      ask().then((answer) => {
        if (isRight(answer)) known.add(promptId);
        return answer;
      });
  const submit: Rest['submit'] = (workflow, options) => async () => {
    const answer = await rest.submit(workflow, options)();
    if (isRight(answer)) known.add(answer.right.promptId);
    return answer;
  };
  return {
    ...rest,
    ...(dialect === 'local' && { submit }),
    jobStatus: (promptId, options) => noting(promptId, rest.jobStatus(promptId, options)),
    job: (promptId, options) => noting(promptId, rest.job(promptId, options)),
    history: (promptId, options) => noting(promptId, rest.history(promptId, options)),
  };
};
