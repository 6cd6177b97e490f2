import { concat, defer, from, mergeMap, Subject } from 'rxjs';
import type { EventOptions } from '../dialect.js';
import type { FollowedJobs } from './job-streams.js';
import { type FrameSource, frameSource } from '../../../core/socket/frame-source.js';
import { type Loaded, load } from './load.js';
import type { Platform } from '../../../core/platform/platform.js';
import { streamSocket } from './stream-socket.js';

/**
 * The frames of the jobs that are followed, of their streams of Server-Sent Events.
 *
 * To the frame source the streams together are one socket, which carries the messages of v1: so decoding, redaction, recording,
 * reconnecting and closing are the same. It is open once the service has answered, or at once while no job is followed. Its loss is
 * that of the last stream that was open.
 */
export const jobEvents = (
  platform: Platform,
  options: EventOptions,
  loadStreams: () => Promise<Pick<Loaded, 'jobStreams' | 'streamRequest'>> = load,
): FrameSource => {
  const { recorded, record, refusal, maxMessageBytes } = options;
  const followed = new Set<string>();
  const [joining, leaving] = [new Subject<string>(), new Subject<string>()];
  const jobs: FollowedJobs = {
    has: (promptId) => followed.has(promptId),
    joined: defer(() => concat(from([...followed]), joining)),
    left: leaving,
  };

  let streams: ReturnType<Loaded['jobStreams']> | undefined;
  const streamed = (answered: () => void, tooLarge: () => void) =>
    defer(async () => {
      if (streams !== undefined) return streams;
      const { jobStreams, streamRequest } = await loadStreams();
      const request = streamRequest(platform, options);
      return (streams = jobStreams({
        platform,
        request,
        record,
        refusal: () => refusal(false),
        maxMessageBytes,
      }));
    }).pipe(mergeMap((open) => open(jobs, answered, tooLarge)));

  const openSocket: Platform['openSocket'] = (_, listener) =>
    streamSocket(listener, streamed, followed.size === 0);

  return frameSource(recorded({ ...platform, openSocket }), {
    ...options,
    url: () => '',
    followed: (promptId, isFollowed) => {
      if (isFollowed) followed.add(promptId);
      else followed.delete(promptId);
      (isFollowed ? joining : leaving).next(promptId);
    },
  });
};
