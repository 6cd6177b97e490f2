import { createRest, type JobRest } from '../../../core/http/rest.js';
import * as E from '../../../core/protocol/either.js';
import { noEngine } from '../../../core/http/later-engine.js';
import type { HttpConnection } from '../../../core/http/connection.js';
import { later, load } from './load.js';
import { openSource } from '../../../core/http/upload-source.js';
import { request } from '../../../core/http/request.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/**
 * The calls of API v2 in the shapes that the client has; what v2 has no form for goes to the routes of v1, where the service has them.
 * Each call is named: a new one of `Rest` has to say here what it is in API v2.
 */
export const restOfV2 = (connection: HttpConnection): JobRest => {
  const rest = createRest(connection);
  const ask = request(connection);
  const beside = <A>(call: TaskEither<ServiceError, A>, what: string): TaskEither<ServiceError, A> =>
    later(({ besideV2 }) => besideV2(call, what));
  const jobDetail: JobRest['jobDetail'] = (promptId, options) =>
    later(({ readDetail }) => readDetail(ask, promptId, options));
  return {
    ...noEngine,
    submit: (workflow, options) => async () => {
      const answer = await rest.submit(workflow, options)();
      if (E.isRight(answer)) return answer;
      const loaded = await load().catch(() => undefined);
      return loaded === undefined
        ? answer
        : E.left(await loaded.explained(answer.left, ask, workflow, options));
    },
    jobStatus: rest.jobStatus,
    history: rest.history,
    jobDetail,
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- public for one more minor version
    job: jobDetail,
    cancel: (promptIds, options) => later(({ cancelJobs }) => cancelJobs(ask, promptIds, options)),
    // A cancellation of API v2 is one of the job already.
    cancelJob: () => () => Promise.resolve(E.right('no route')),
    jobsApi: rest.jobsApi,
    interrupt: (options = {}) => later(({ interruptJob }) => interruptJob(ask, options)),
    objectInfo: (options) => beside(rest.objectInfo(options), 'definitions of node classes'),
    queue: (options) => beside(rest.queue(options), 'the queue'),
    recentJobs: (options) => beside(rest.recentJobs(options), 'a history'),
    features: (options) => beside(rest.features(options), 'features'),
    nodeReplacements: (options) => beside(rest.nodeReplacements(options), 'replacements of node classes'),
    systemStats: (options) => beside(rest.systemStats(options), 'the machine'),
    jobAssets: (promptId, options) =>
      beside(rest.jobAssets(promptId, options), 'a list of the files of a job'),
    jobLogs: (promptId, options) => later(({ readJobLogs }) => readJobLogs(ask, promptId, options)),
    user: (options) => beside(rest.user(options), 'accounts'),
    uploadImage: (source, options) => () => {
      // Opened before anything is loaded: the bytes are those of this moment.
      const file = openSource(connection, source);
      return later(({ uploadAsset }) => uploadAsset(connection, file, options))();
    },
    view: (file, options) =>
      later(({ viewFile }) => viewFile(connection, rest.view(file, options), file, options)),
    signedUrl: (file, options) => later((loaded) => loaded.signedUrl(connection, file, options)),
    uploadMask: (...args) => beside(rest.uploadMask(...args), 'masks'),
  } satisfies JobRest;
};
