import type { Client as MainClient } from '../client-types.js';
import { type Client, promisedCalls } from './promised.js';
import { promisedJob } from './promised-job.js';
import { promisedGenerate } from '../../generate/promised-generate.js';
import { toPromise } from '../../core/interop/to-promise.js';

/** The same client, whose calls return promises. */
export const promisedClient = (client: MainClient): Client => ({
  ...promisedCalls(client),
  rest: promisedCalls(client.rest),
  get recent() {
    return client.recent;
  },
  get submissionIds() {
    return client.submissionIds;
  },
  submit: async (workflow, options) => promisedJob(client, await toPromise(client.submit(workflow, options))),
  generate: promisedGenerate(client.generate),
  job: (promptId) => promisedJob(client, client.job(promptId)),
  [Symbol.asyncDispose]: () => client.close(),
});
