import { access } from 'node:fs/promises';
import { openAsBlob } from 'node:fs';
import type { AddOptions, JobQueue } from './job-queue.js';
import type { Client } from '../../../client/client-types.js';
import { checkAdd } from './check-add.js';
import { clientOfAny, clientOfServer } from './files-of-servers.js';
import { defer, from, mergeMap } from 'rxjs';
import { definitionsOf } from '../../../generate/class-definitions.js';
import type { Generate } from '../../../generate/generate-context.js';
import { generator } from '../../../generate/generate.js';
import type { JobQueueOptions } from '../options.js';
import { outputFiles } from '../../../core/state/output-files.js';
import type { QueueJobState } from '../follow/queue-state.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { submitAndFollow } from '../../../core/interop/submit-and-follow.js';
import { toPromise } from '../../../core/interop/to-promise.js';

/**
 * Makes `queue.generate` of the other members. Over servers the queue keeps the files that jobs read, and the pool reads what a job made from the
 * job's server; over an account the client does both.
 */
export const queueGenerate = (
  { add, follow, cancel, over, upload }: Pick<JobQueue, 'add' | 'follow' | 'cancel' | 'over' | 'upload'>,
  { client, pool }: Pick<JobQueueOptions, 'client' | 'pool'>,
): Generate<AddOptions> => {
  const anyClient = async (): Promise<Client> => {
    if (pool !== undefined) return clientOfAny(pool);
    if (client === undefined) throw noClient();
    return client;
  };
  const clientOf = ({ server }: QueueJobState): Promise<Client> =>
    pool === undefined ? anyClient() : clientOfServer(pool, server);
  return generator<AddOptions>({
    files: { open: openPath },
    definitions: async (classes) => definitionsOf((await anyClient()).rest)(classes),
    upload: async (content, filename) =>
      (await over()) === 'servers'
        ? upload({ content, filename })
        : toPromise((await anyClient()).rest.uploadImage({ content, filename })),
    refuse: async (workflow, options) => checkAdd(workflow, options, await over()),
    run: (workflow, { onUnsubscribe, ...options }) =>
      submitAndFollow(() => add(workflow, options), follow, cancel, onUnsubscribe),
    filesOf: (state) =>
      Promise.resolve(
        outputFiles(state.outputs, state).map((file) => ({
          ...file,
          url: file.asset?.url,
          open: async () => toPromise((await clientOf(state)).rest.view(file)),
        })),
      ),
    ...((client ?? pool) !== undefined && {
      save: (state, dir, options) =>
        defer(() => from(clientOf(state))).pipe(mergeMap((one) => one.download(state, dir, options))),
    }),
  });
};

/** Rejects with the system's error, whose code a bare `openAsBlob` hides. */
const openPath = async (path: string): Promise<Blob> => {
  await access(path);
  return openAsBlob(path);
};

const noClient = (): Error =>
  serviceError('InvalidConfig', {
    option: 'client',
    message: 'This queue has no client, which reads and uploads files and knows the node classes.',
    hint: 'Pass `client`, or `pool` over servers, to createJobQueue; or `definitions` and names of files of the service to generate.',
  });
