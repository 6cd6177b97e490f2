import * as E from '../protocol/either.js';
import type { HttpConnection } from './connection.js';
import { prepareSubmission } from './submission.js';
import { request } from './request.js';
import { roundedInApi } from '../protocol/rounded-integers.js';
import type { ServiceError } from '../errors/errors.js';
import type { Submission } from '../endpoints/submit.js';
import type { SubmitOptions, Withdrawal } from './rest-options.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Workflow } from '../protocol/workflow.js';

/** Sends a workflow as it is now; integers of it that may have been rounded are `problems` of the answer. */
export const sendSubmission = (
  connection: HttpConnection,
  workflow: Workflow,
  options: SubmitOptions & Withdrawal,
): TaskEither<ServiceError, Submission> => {
  const prepared = prepareSubmission(connection, workflow, options);
  if (E.isLeft(prepared)) return () => Promise.resolve(prepared);
  const problems = roundedInApi(workflow);
  const send = request(prepared.right.connection)(prepared.right.endpoint, options);
  if (problems.length === 0) return send;
  return async () => {
    const answer = await send();
    return E.isLeft(answer) ? answer : E.right({ ...answer.right, problems });
  };
};
