import { concatMap, defer, from, map, mergeMap, throwError } from 'rxjs';
import * as E from '../../core/protocol/either.js';
import { abortable } from '../../core/interop/abortable.js';
import type { JobServers } from './job-servers.js';
import type { Pool, PoolJobState, PoolListedJob } from './pool-types.js';
import type { PooledServer } from './pool-server.js';
import type { PoolServers } from './pool-servers.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import { toAsyncIterable } from '../../core/interop/to-async-iterable.js';
import { toTaskEither } from '../../core/interop/to-task-either.js';

/** The calls of a pool that go to the server which has a job or a file. */
export const routedCalls = (
  servers: PoolServers,
  owners: JobServers,
): Pick<Pool, 'follow' | 'jobs' | 'cancel' | 'cancelAll' | 'delete' | 'download' | 'serverOf'> => {
  const ownerOf = (promptId: string): Promise<E.Either<ServiceError, PooledServer>> =>
    toTaskEither(owners.find(promptId))();
  const cancel: Pool['cancel'] = (promptId, options) => async () => {
    const server = await ownerOf(promptId);
    return E.isLeft(server) ? server : server.right.client.cancel(promptId, options)();
  };

  return {
    follow: (promptId, { signal } = {}) =>
      owners.find(promptId).pipe(
        mergeMap(({ client, name }) =>
          client
            .follow(promptId)
            .pipe(map((state): PoolJobState => ({ ...state, server: name, attempt: 1 }))),
        ),
        abortable(signal, { promptId }),
      ),
    jobs: (options) => {
      const listed = defer(() => from([...servers.all.values()])).pipe(
        concatMap(({ client, name }) =>
          client.jobs(options).pipe(map((job): PoolListedJob => ({ ...job, server: name }))),
        ),
      );
      return Object.assign(listed, { [Symbol.asyncIterator]: () => toAsyncIterable(listed) });
    },
    cancel,
    serverOf: (promptId, { signal } = {}) =>
      toTaskEither(
        owners.find(promptId).pipe(
          map(({ name }) => name),
          abortable(signal, { promptId, sent: false }),
        ),
      ),
    cancelAll: (promptIds, options) => async () => {
      const answers = await Promise.all(promptIds.map((promptId) => cancel(promptId, options)()));
      return answers.find(E.isLeft) ?? E.right(undefined);
    },
    delete:
      (what, { server: name, ...options } = {}) =>
      async () => {
        const promptId = typeof what === 'string' ? what : options.promptId;
        const server = await serverFor(servers, owners, name, promptId);
        return E.isLeft(server) ? server : server.right.client.delete(what, options)();
      },
    download: (source, dir, { server: name, ...options } = {}) =>
      defer(() => from(serverFor(servers, owners, name ?? serverIn(source), promptIdIn(source)))).pipe(
        mergeMap((server) =>
          E.isLeft(server)
            ? throwError(() => server.left as unknown)
            : server.right.client.download<typeof source>(source, dir, options),
        ),
      ),
  };
};

/** The server that is named, or the one that has the job, or the only one. */
const serverFor = async (
  { all }: PoolServers,
  owners: JobServers,
  name: string | undefined,
  promptId: string | undefined,
): Promise<E.Either<ServiceError, PooledServer>> => {
  const named = name === undefined ? undefined : all.get(name);
  if (named !== undefined) return E.right(named);
  const [only] = all.values();
  if (name === undefined && all.size === 1 && only !== undefined) return E.right(only);
  if (name === undefined && promptId !== undefined) return toTaskEither(owners.find(promptId))();
  return E.left(
    serviceError('InvalidConfig', {
      option: 'server',
      message: name === undefined ? 'Nothing tells which server has it.' : `The pool has no server ${name}.`,
      hint: `Name the server: ${[...all.keys()].join(', ')}.`,
    }),
  );
};

const serverIn = (source: unknown): string | undefined => textIn(source, 'server');
const promptIdIn = (source: unknown): string | undefined => textIn(source, 'promptId');

const textIn = (source: unknown, member: string): string | undefined => {
  const value = (source as Readonly<Record<string, unknown>>)[member];
  return typeof value === 'string' ? value : undefined;
};
