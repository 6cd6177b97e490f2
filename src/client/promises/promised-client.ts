import type { Client as MainClient } from '../client-types.js';
import { type Client, promisedCalls } from './promised.js';
import { promisedJob } from './promised-job.js';
import type { Files } from '../../core/platform/platform.js';
import { lazyGenerate } from '../generate/lazy-generate.js';
import { promisedGenerate } from './promised-generate.js';
import { toPromise } from '../../core/interop/to-promise.js';

/** The same client, whose calls return promises; `files` is the disk of its platform, where there is one. */
export const promisedClient = (client: MainClient, files?: Files): Client => ({
  ...promisedCalls(client),
  rest: promisedCalls(client.rest),
  get recent() {
    return client.recent;
  },
  get submissionIds() {
    return client.submissionIds;
  },
  submit: async (workflow, options) => promisedJob(client, await toPromise(client.submit(workflow, options))),
  generate: promisedGenerate(
    lazyGenerate({ files, rest: client.rest, run: client.run, download: client.download }),
  ),
  job: (promptId) => promisedJob(client, client.job(promptId)),
  [Symbol.asyncDispose]: () => client.close(),
});
