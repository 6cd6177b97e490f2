import * as TE from 'fp-ts/lib/TaskEither.js';
import { noEngine } from '../../src/core/http/later-engine.js';
import { jobsApi } from '../../src/core/http/jobs-api.js';
import type { JobRest, Rest } from '../../src/core/http/rest.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { serviceError } from '../../src/core/errors/service-error.js';

/** A Rest whose calls answer `NotFound` unless the test says otherwise. */
export const fakeRest = (calls: Partial<JobRest> = {}): Rest & Pick<JobRest, 'cancelJob' | 'jobsApi'> => {
  const missing = (): TE.TaskEither<ServiceError, never> => TE.left(serviceError('NotFound', {}));
  return {
    objectInfo: missing,
    uploadImage: missing,
    uploadMask: missing,
    submit: missing,
    jobStatus: missing,
    jobDetail: missing,
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- public for one more minor version
    job: missing,
    history: missing,
    view: missing,
    queue: missing,
    recentJobs: missing,
    cancel: missing,
    cancelJob: () => TE.right('no route'),
    jobsApi: jobsApi({ now: () => 0 }),
    interrupt: missing,
    user: missing,
    features: missing,
    nodeReplacements: missing,
    systemStats: missing,
    jobAssets: missing,
    jobLogs: missing,
    signedUrl: missing,
    ...noEngine,
    ...calls,
  };
};

/** Answers one call after the other from a list, and the last one for ever. */
export const answers = <A>(
  ...list: readonly (A | ServiceError)[]
): { readonly call: () => TE.TaskEither<ServiceError, A>; readonly count: () => number } => {
  let calls = 0;
  return {
    count: () => calls,
    call: () => () => {
      const answer = list[Math.min(calls, list.length - 1)] as A | ServiceError;
      calls += 1;
      return answer instanceof Error ? TE.left(answer)() : TE.right(answer)();
    },
  };
};
