import type { CallOptions, Rest, UploadFile, UploadSource } from './rest.js';
import { cancelEndpoint } from '../endpoints/cancel.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpConnection } from './connection.js';
import { interruptEndpoint } from '../endpoints/interrupt.js';
import { jobDetailEndpoint } from '../endpoints/job-detail.js';
import { objectInfoEndpoint } from '../endpoints/object-info.js';
import { openSource } from './upload-source.js';
import { prepareSubmission } from './submission.js';
import { queueEndpoint } from '../endpoints/queue.js';
import { request } from './request.js';
import type { ServiceError } from '../errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { uploadImageEndpoint, uploadMaskEndpoint } from '../endpoints/upload.js';
import { userEndpoint } from '../endpoints/user.js';
import { view } from './view.js';

/**
 * Every REST endpoint of the interface over one connection; nothing is sent before a call is run
 * (docs/protocol.md, chapter 2).
 */
export const createRest = (connection: HttpConnection): Rest => {
  const { dialect } = connection;
  const ask = request(connection);

  const upload =
    <A>(source: UploadSource, endpointOf: (file: UploadFile) => Endpoint<A>, options?: CallOptions) =>
    async (): Promise<E.Either<ServiceError, A>> => {
      const file = await openSource(connection, source);
      return E.isLeft(file) ? file : ask(endpointOf(file.right), options)();
    };

  return {
    objectInfo: (options = {}) => ask(objectInfoEndpoint(options.nodeClass), options),
    uploadImage: (source, options = {}) =>
      upload(source, ({ content, filename }) => uploadImageEndpoint(content, filename, options), options),
    uploadMask: (source, original, options = {}) =>
      upload(
        source,
        ({ content, filename }) => uploadMaskEndpoint(content, filename, original, options),
        options,
      ),
    submit: (workflow, options = {}): ReturnType<Rest['submit']> =>
      deferred(() => {
        const prepared = prepareSubmission(connection, workflow, options);
        return E.isLeft(prepared)
          ? () => Promise.resolve(prepared)
          : request(prepared.right.connection)(prepared.right.endpoint, options);
      }),
    jobStatus: dialect.jobStatus(connection),
    job: (promptId, options) => ask(jobDetailEndpoint(promptId), options),
    history: (promptId, options) => ask(dialect.history(promptId), options),
    view: (file, options) => view(connection, file, options),
    queue: (options) => ask(queueEndpoint(), options),
    cancel: (promptIds, options) => deferred(() => ask(cancelEndpoint(promptIds), options)),
    interrupt: (options = {}) => ask(interruptEndpoint(options.promptId), options),
    user: (options) => ask(userEndpoint(), options),
  };
};

/** Builds the call anew each time it is run, from what its arguments hold then. */
const deferred =
  <A>(make: () => TaskEither<ServiceError, A>): TaskEither<ServiceError, A> =>
  () =>
    make()();
