import * as E from '../protocol/either.js';
import type { Rest } from '../http/rest.js';
import type { JobContext } from './job-context.js';

/** `rest.submit` as the user has it: refused by a client that is being drained, and settled by its answer. */
export const submitRaw =
  ({ rest, work }: Pick<JobContext, 'rest' | 'work'>): Rest['submit'] =>
  (workflow, options) =>
  () => {
    const refusal = work.refusal();
    return refusal === undefined
      ? rest.submit(workflow, options)().finally(work.begin())
      : Promise.resolve(E.left(refusal));
  };
