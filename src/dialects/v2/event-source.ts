import { concat, defer, from, mergeMap, Subject } from 'rxjs';
import type { EventOptions } from '../dialect.js';
import type { FollowedJobs, JobStreamsOptions } from './job-streams.js';
import { type FrameSource, frameSource } from '../../socket/frame-source.js';
import { isLeft } from '../../protocol/either.js';
import { type Loaded, load } from './load.js';
import { jobPath } from '../../endpoints/v2/job.js';
import type { HttpDialect } from '../../http/connection.js';
import type { Platform } from '../../platform/platform.js';
import { streamSocket } from './stream-socket.js';

/** What {@link jobEvents} needs. */
export interface JobEventOptions extends EventOptions, Pick<HttpDialect, 'authHeaders'> {}

/**
 * The frames of the jobs that are followed, of their streams of Server-Sent Events.
 *
 * To the frame source the streams together are one socket, which carries the messages of today: so decoding, redaction, recording,
 * reconnecting and closing are the same. It is open once the service has answered, or at once while no job is followed. Its loss is
 * that of the last stream that was open.
 */
export const jobEvents = (
  platform: Platform,
  { urls, key, recorded, record, refusal, authHeaders, ...options }: JobEventOptions,
  loadStreams: () => Promise<Pick<Loaded, 'jobStreams'>> = load,
): FrameSource => {
  const followed = new Set<string>();
  const [joining, leaving] = [new Subject<string>(), new Subject<string>()];
  const jobs: FollowedJobs = {
    has: (promptId) => followed.has(promptId),
    joined: defer(() => concat(from([...followed]), joining)),
    left: leaving,
  };

  const request: JobStreamsOptions['request'] = (promptId, signal) => {
    const own = options.headers?.();
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
  let streams: ReturnType<Loaded['jobStreams']> | undefined;
  const streamed = (answered: () => void) =>
    defer(async () => {
      streams ??= (await loadStreams()).jobStreams({
        platform,
        request,
        record,
        refusal: () => refusal(false),
      });
      return streams;
    }).pipe(mergeMap((open) => open(jobs, answered)));

  const openSocket: Platform['openSocket'] = (_, listener) =>
    streamSocket(listener, streamed, followed.size === 0);

  return frameSource(recorded({ ...platform, openSocket }), {
    ...options,
    refusal,
    url: () => '',
    followed: (promptId, isFollowed) => {
      if (isFollowed) followed.add(promptId);
      else followed.delete(promptId);
      (isFollowed ? joining : leaving).next(promptId);
    },
  });
};
