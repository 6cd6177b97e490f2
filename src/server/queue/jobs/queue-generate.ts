import { access } from 'node:fs/promises';
import { openAsBlob } from 'node:fs';
import type { AddOptions, JobQueue } from './job-queue.js';
import type { Client } from '../../../client/client-types.js';
import type { Generate } from '../../../generate/generate-context.js';
import { generator } from '../../../generate/generate.js';
import { outputFiles } from '../../../core/state/output-files.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { submitAndFollow } from '../../../core/interop/submit-and-follow.js';
import { toPromise } from '../../../core/interop/to-promise.js';

/** Makes `queue.generate` of the other members; a client, where there is one, uploads and reads files. */
export const queueGenerate = (
  { add, follow, cancel }: Pick<JobQueue, 'add' | 'follow' | 'cancel'>,
  client: Client | undefined,
): Generate<AddOptions> => {
  const withClient = async <A>(work: (client: Client) => Promise<A>): Promise<A> => {
    if (client === undefined) throw noClient();
    return work(client);
  };
  return generator<AddOptions>({
    files: { open: openPath },
    definitions: () => withClient(({ rest }) => toPromise(rest.objectInfo())),
    upload: (content, filename) =>
      withClient(({ rest }) => toPromise(rest.uploadImage({ content, filename }))),
    run: (workflow, { onUnsubscribe, ...options }) =>
      submitAndFollow(() => add(workflow, options), follow, cancel, onUnsubscribe),
    filesOf: (state) =>
      Promise.resolve(
        outputFiles(state.outputs, state).map((file) => ({
          ...file,
          url: file.asset?.url,
          open: () => withClient(({ rest }) => toPromise(rest.view(file))),
        })),
      ),
    ...(client !== undefined && { save: client.download }),
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
    hint: 'Pass `client` to createJobQueue, or `definitions` and names of files of the service to generate.',
  });
