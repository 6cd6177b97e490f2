import type { Call } from '../interop/call.js';
import type { CallOptions } from './rest-options.js';
import * as E from '../protocol/either.js';
import type { FileRef } from '../protocol/file-ref.js';
import type { JobLogs } from '../endpoints/v2/logs.js';
import { serviceError } from '../errors/service-error.js';
import type { SignedUrl } from '../endpoints/v2/assets.js';

/** Calls that only a service of API v2 has. */
export interface V2Rest {
  /**
   * Reads what a deployment wrote while a job ran: `GET /api/v2/jobs/{id}/logs`.
   *
   * Right undefined if the job has no log, or none yet; `complete` says that no more will come. Left `NotSupported` but with API v2:
   * nothing is sent then.
   */
  readonly jobLogs: (promptId: string, options?: CallOptions) => Call<JobLogs | undefined>;
  /**
   * Asks for an address of a file that opens without the key, for a limited time, such as for an `<img>` or another program:
   * the link of `GET /api/v2/assets/{id}`, or where its content is redirected to.
   *
   * Every holder of the address can read the file, so keep it out of logs. Left `NotSupported` where the service sends files itself and asks
   * for the key, and but with API v2, and for a file without `asset`: nothing is sent then.
   *
   * @example
   * ```ts
   * import { toPromise, type Client, type OutputFile } from 'promptwire';
   *
   * const linkTo = async (client: Client, file: OutputFile): Promise<string> =>
   *   (await toPromise(client.rest.signedUrl(file))).url;
   * ```
   */
  readonly signedUrl: (file: FileRef, options?: CallOptions) => Call<SignedUrl>;
}

/** These calls where the dialect is another one: nothing is sent. */
export const withoutV2: V2Rest = {
  jobLogs: (promptId) => () =>
    Promise.resolve(
      E.left(
        serviceError('NotSupported', {
          promptId,
          message: 'A server of this dialect keeps no logs of jobs.',
          hint: 'Read the failure of the job, which holds the traceback; a deployment of API v2 has logs.',
        }),
      ),
    ),
  signedUrl: () => () =>
    Promise.resolve(
      E.left(
        serviceError('NotSupported', {
          message: 'A server of this dialect gives no address of a file that opens without a key.',
          hint: 'Read the file by rest.view. A cloud service may have short links: rest.jobDetail with shortLinks.',
        }),
      ),
    ),
};
