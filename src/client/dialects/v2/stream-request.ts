import type { EventOptions } from '../dialect.js';
import { isLeft } from '../../../core/protocol/either.js';
import { jobPath } from '../../../core/endpoints/v2/job.js';
import type { JobStreamsOptions } from './job-streams.js';
import type { Platform } from '../../../core/platform/platform.js';

/** The addresses, the key and the headers of the requests for streams. */
export type StreamRequestOptions = Pick<EventOptions, 'urls' | 'key' | 'headers' | 'authHeaders'>;

/** Asks for the stream of a job, with the key and the client's own headers of the moment. */
export const streamRequest =
  (
    platform: Pick<Platform, 'request'>,
    { urls, key, headers, authHeaders }: StreamRequestOptions,
  ): JobStreamsOptions['request'] =>
  (promptId, signal) => {
    const own = headers?.();
    if (own !== undefined && isLeft(own)) return Promise.reject(own.left);
    const path = `${jobPath(promptId)}/events`;
    const secret = key();
    return platform.request({
      method: 'GET',
      url: urls.api(path),
      headers: {
        accept: 'text/event-stream',
        ...own?.right,
        ...(secret !== undefined && authHeaders(secret, path)),
      },
      streamed: true,
      signal,
    });
  };
